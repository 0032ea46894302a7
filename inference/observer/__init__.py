"""What the ideal observer knows: one module a kind of question.

Each module has ``QUESTION``, a pattern by which it knows its question in every wording, and
``observe(signal, rate_hz, question)``, which measures a mono signal (float, shape (n,), in units of one
16-bit step) and returns the answer in the question's polarity.
"""
