// OpenCombine publishers of the same events.
