#if OpenCombine
// One import for publishers: operators, subscribers, and dispatch queues as schedulers.
@_exported public import OpenCombine
@_exported public import OpenCombineDispatch
#endif
