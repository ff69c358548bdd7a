"""What the aircraft does about it: guidance, stabilization, mixer."""
