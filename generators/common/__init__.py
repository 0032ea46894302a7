"""What samples may be made of: exact arithmetic, seeding, envelopes, noise, filters, clips.

Everything in here gives the same bits on every IEEE-754 machine. A generator calls it and uses no
transcendental function, filter or random distribution of its own.
"""
