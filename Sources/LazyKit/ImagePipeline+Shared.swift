internal import LazyBase
public import LazyPipeline

extension ImagePipeline {
    private static let replaceable = Locked<ImagePipeline?>(nil)

    /// The pipeline that everybody uses who names no other; set it before its first use, or any time.
    ///
    /// Made on first use from `Configuration.standard`. Loads that have begun keep theirs.
    public static var shared: ImagePipeline {
        get {
            if let pipeline = replaceable.withLock({ $0 }) { return pipeline }
            let pipeline = ImagePipeline(configuration: .standard)
            return replaceable.withLock { replaceable in
                if let replaceable { return replaceable }
                replaceable = pipeline
                return pipeline
            }
        }
        set { replaceable.withLock { $0 = newValue } }
    }

    /// Makes a pipeline from the standard configuration and what a closure changes in it.
    ///
    /// ```swift
    /// let pipeline = ImagePipeline { $0.dataCache = DataCache(name: "posters") }
    /// ```
    public convenience init(
        delegate: (any ImagePipelineDelegate)? = nil, _ configure: (inout Configuration) -> Void
    ) {
        var configuration = Configuration.standard
        configure(&configuration)
        self.init(configuration: configuration, delegate: delegate)
    }
}
