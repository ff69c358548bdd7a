"""Links: byte pipes to an aircraft by USB, serial port, TCP, UDP, memory or a simulator process."""
