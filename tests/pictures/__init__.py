"""Pictures of the manual and of README, made anew from the product: `make pictures`."""
