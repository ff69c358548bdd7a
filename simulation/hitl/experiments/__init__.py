"""What is flown and measured with hardware in the loop: one module each, loaded by its name."""
