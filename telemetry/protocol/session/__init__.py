"""Telemetry session, sans-io: handshake, transactions, fetching and saving of objects."""
