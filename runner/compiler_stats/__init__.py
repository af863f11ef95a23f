"""What a driver's compiler says of the kernels that it builds."""
