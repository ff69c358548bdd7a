"""Receiver set-up: channels and pulses of the controls, measured step by step."""
