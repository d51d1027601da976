public import LazyMedia
