"""`lapwing mission`: check, carry, convert and fly missions from a command line."""
