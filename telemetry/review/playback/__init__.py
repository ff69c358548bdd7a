"""Playing a video beside the flight: decoding ahead, sound, the loudspeaker."""
