"""How high the ground is: files that the user gives, or flat at home's height."""
