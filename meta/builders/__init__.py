"""Scripts that write the meta CSVs: ``meta/builders/<family>/<task>.py``, deterministic to the byte."""
