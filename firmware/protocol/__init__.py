"""PURE. Frames, messages and sessions: the host imports these same files."""
