"""One module a command or family of commands: it asks, calls the room that does it, shows the answer."""
