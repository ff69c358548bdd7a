"""Plot: curves of fields over time and over each other, with legend, menus and zoom."""
