"""Audio to answers: the runner contract, the scheduler, and one runner per model.

Shared code here runs inside foreign model environments: standard library, numpy and Python 3.9
syntax only.
"""
