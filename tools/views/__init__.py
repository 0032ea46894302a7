"""What ``compute_metrics.py`` shows instead of scores: a comparison, a breakdown, prompt sensitivity, signatures.

Each module has one function that takes a report whose files are read and returns a view, which has the forms of the
report itself.
"""
