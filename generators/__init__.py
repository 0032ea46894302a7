"""Rows to audio: one pure function a task, over exact arithmetic in ``generators/common/``."""
