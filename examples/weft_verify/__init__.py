"""Checks certificates of Weft's runs, offline: docs/certificate.md, written again from that page alone."""
