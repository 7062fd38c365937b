"""Parts on pins: edges in, readings out. They know no rule."""
