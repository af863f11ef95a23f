"""The statistics that a driver's compiler prints about the kernels that it builds."""
