"""Where a note says things: its lines, labels, sections, lists and boxes."""
