// Whoever speaks of media also speaks of the locks, pools and flags that its protocols mention.
@_exported public import LazyBytes
