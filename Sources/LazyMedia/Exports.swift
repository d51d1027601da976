// The protocols of this module use locks, pools and flags of LazyBase.
@_exported public import LazyBase
