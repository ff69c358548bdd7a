"""What the station can do, one module per menu: each returns its menu's items in their order."""
