internal import LazyMedia
