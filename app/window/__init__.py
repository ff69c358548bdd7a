"""Window: main window, toolbar, messages, overlays."""
