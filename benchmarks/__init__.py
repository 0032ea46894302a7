"""Measurements that the README quotes."""
