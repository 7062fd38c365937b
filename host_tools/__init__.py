"""The bench tool: CPython only. Talks to boards, builds images, runs conformance."""

__version__ = "0.1.0"
