"""Flight logs on disk: a reader that fills a recording, a writer, exports."""
