"""UAVTalk, sans-io: bytes in, frames out. Knows no object, socket, thread nor clock."""
