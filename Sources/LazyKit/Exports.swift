// One import for those who want the ready-made whole.
@_exported public import LazyBytes
@_exported public import LazyCache
@_exported public import LazyHTTP
@_exported public import LazyLoading
@_exported public import LazyMedia
@_exported public import LazyPipeline
@_exported public import LazyPreviews
@_exported public import LazyUI
