"""Window: main window, toolbar, workspaces, panels in docks, overlays, refresh timer."""
