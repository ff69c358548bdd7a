"""Input devices: what somebody flies by, from a joystick's axes to sticks."""
