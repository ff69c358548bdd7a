"""Tests of input devices."""
