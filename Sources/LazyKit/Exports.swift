// One import for those who want the ready-made whole.
@_exported public import LazyMedia
