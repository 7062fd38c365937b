"""The bench tool: CPython only. Talks to boards, builds images, runs conformance."""
