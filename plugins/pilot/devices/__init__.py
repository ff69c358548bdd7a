"""Input devices that somebody flies by, from a joystick's axes to sticks."""
