"""UAVTalk: objects, frames, links, sessions, and streams beside them."""
