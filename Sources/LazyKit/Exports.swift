// What `import LazyKit` makes visible: the types that most programs name. What these return or take beyond that needs
// no name; to write one, import its module (`LazyMedia`, `LazyPipeline`, `LazyLoading` …), which is a product, too.

// Requests are made of URLs.
@_exported public import struct FoundationEssentials.URL
// Bytes, and errors of the system.
@_exported public import struct LazyBase.Blob
@_exported public import class LazyBase.CancellationFlag
@_exported public import struct LazyBase.SystemError
// Edits.
@_exported public import struct LazyEditing.ClipEdit
@_exported public import enum LazyEditing.CropRegion
@_exported public import enum LazyEditing.Gravity
@_exported public import enum LazyEditing.Overlay
@_exported public import struct LazyEditing.Padding
@_exported public import struct LazyEditing.PictureOverlay
@_exported public import struct LazyEditing.PictureShape
@_exported public import struct LazyEditing.SubtitleOverlay
@_exported public import struct LazyEditing.TextOverlay
// Decoding in other processes.
@_exported public import class LazyIsolation.DecoderHost
@_exported public import enum LazyIsolation.DecoderProgram
@_exported public import struct LazyIsolation.IsolationPolicy
@_exported public import class LazyLoading.DataCache
@_exported public import protocol LazyLoading.DataCaching
// How bytes arrive, and where they are kept.
@_exported public import protocol LazyLoading.DataLoading
@_exported public import enum LazyLoading.FetchPolicy
@_exported public import struct LazyLoading.HTTPConfiguration
@_exported public import struct LazyLoading.HTTPHeaders
@_exported public import class LazyLoading.HTTPLoader
@_exported public import class LazyLoading.LoadBody
@_exported public import struct LazyLoading.LoadRequest
@_exported public import struct LazyLoading.LoadResponse
@_exported public import struct LazyLoading.LoadingError
@_exported public import class LazyLoading.NetworkConditions
@_exported public import struct LazyLoading.ResponseHead
@_exported public import struct LazyLoading.RetryPolicy
@_exported public import struct LazyMedia.Bitmap
@_exported public import struct LazyMedia.DecoderRegistry
// Opening and writing media.
@_exported public import struct LazyMedia.DecodingLimits
@_exported public import struct LazyMedia.EncoderRegistry
@_exported public import struct LazyMedia.EncodingOptions
@_exported public import class LazyMedia.FileBytes
@_exported public import enum LazyMedia.FitMode
@_exported public import struct LazyMedia.Frame
// Frames and pictures.
@_exported public import struct LazyMedia.FrameSequence
@_exported public import struct LazyMedia.Frames
@_exported public import struct LazyMedia.LoopCount
@_exported public import enum LazyMedia.Looping
@_exported public import struct LazyMedia.MediaError
@_exported public import struct LazyMedia.MediaInfo
@_exported public import struct LazyMedia.MediaTime
@_exported public import struct LazyMedia.MediaType
@_exported public import class LazyMedia.MemoryBytes
@_exported public import struct LazyMedia.PixelColor
@_exported public import struct LazyMedia.PixelRect
@_exported public import struct LazyMedia.PixelSize
@_exported public import struct LazyMedia.Poster
@_exported public import enum LazyMedia.PosterChoice
@_exported public import struct LazyMedia.Rational
@_exported public import enum LazyMedia.SubtitleChoice
@_exported public import struct LazyMedia.TargetSize
@_exported public import enum LazyPipeline.ContentMode
@_exported public import struct LazyPipeline.DecodingContext
// Models of views.
@_exported public import class LazyPipeline.FetchImage
@_exported public import class LazyPipeline.FramePool
// Caches.
@_exported public import class LazyPipeline.ImageCache
@_exported public import struct LazyPipeline.ImageCacheKey
@_exported public import protocol LazyPipeline.ImageCaching
@_exported public import struct LazyPipeline.ImageContainer
// Requests and what answers them.
@_exported public import class LazyPipeline.ImagePipeline
@_exported public import protocol LazyPipeline.ImagePipelineDelegate
@_exported public import class LazyPipeline.ImagePrefetcher
// Processors.
@_exported public import protocol LazyPipeline.ImageProcessing
@_exported public import enum LazyPipeline.ImageProcessors
@_exported public import struct LazyPipeline.ImageRequest
@_exported public import struct LazyPipeline.ImageResponse
@_exported public import class LazyPipeline.ImageTask
@_exported public import struct LazyPipeline.ImageTransition
@_exported public import class LazyPipeline.LazyImage
@_exported public import struct LazyPipeline.LazyImageOptions
@_exported public import enum LazyPipeline.LoadPhase
@_exported public import struct LazyPipeline.Magnification
@_exported public import enum LazyPipeline.PipelineError
@_exported public import class LazyPipeline.Playback
@_exported public import enum LazyPipeline.PreviewPolicy
@_exported public import enum LazyPipeline.Priority
@_exported public import struct LazyPipeline.ProcessingContext
@_exported public import struct LazyPipeline.ProcessingError
@_exported public import struct LazyPipeline.RangeOpener
@_exported public import protocol LazyPipeline.SequenceProcessing
// Previews.
@_exported public import struct LazyPreviews.AnimatedThumbnail
@_exported public import struct LazyPreviews.Conversion
@_exported public import struct LazyPreviews.ConversionReport
@_exported public import struct LazyPreviews.SegmentChoice
@_exported public import struct LazyPreviews.SheetLayout
@_exported public import struct LazyPreviews.SpriteSheet
@_exported public import struct LazyPreviews.ThumbHash
