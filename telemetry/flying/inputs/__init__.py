"""Stick inputs: the interface of what somebody flies by, and sticks that programs print."""
