"""Records of the compiled loop: their layouts, and the table of sensors they follow from."""
