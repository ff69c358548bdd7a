"""Whether tests notice a change of the product: `make mutate`."""
