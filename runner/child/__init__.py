"""The process that touches the driver."""
