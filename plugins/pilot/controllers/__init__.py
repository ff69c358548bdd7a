"""The view of input devices: what they say, how they are set up, and which of them fly."""
