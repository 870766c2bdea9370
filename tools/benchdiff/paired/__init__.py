"""Paired comparison of Google Benchmark programs; see ../README.md."""
