// One import for those who want the ready-made whole. `URL` comes with it: requests are made of one.
@_exported public import LazyBase
@_exported public import LazyEditing
@_exported public import LazyIsolation
@_exported public import LazyLoading
@_exported public import LazyMedia
@_exported public import LazyPipeline
@_exported public import LazyPreviews

@_exported public import struct FoundationEssentials.URL
