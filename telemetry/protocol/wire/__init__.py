"""UAVTalk, sans-io: bytes in, frames out; knows no object, socket, thread nor clock."""
