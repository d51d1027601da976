// The protocols of this module use locks, pools and flags of LazyBytes.
@_exported public import LazyBytes
