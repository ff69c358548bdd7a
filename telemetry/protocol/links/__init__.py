"""Links: byte pipes to an aircraft by serial port, TCP, UDP, memory or a simulator's process."""
