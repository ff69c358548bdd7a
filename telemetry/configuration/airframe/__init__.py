"""Airframes: how each kind mixes thrust, roll, pitch and yaw into its outputs; no Qt, no link."""
