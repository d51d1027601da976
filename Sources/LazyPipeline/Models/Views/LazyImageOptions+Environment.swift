internal import LazyLoading

extension LazyImageOptions {
    /// The options of models created without any, in the current task.
    ///
    /// Its `pipeline` is the default of all models and prefetchers, not of `LazyImage` alone.
    /// Inherited by tasks and calls as an environment is by a view hierarchy: models created inside
    /// `changing(_:in:)` get the changed options.
    @TaskLocal public static var current = LazyImageOptions()

    /// Runs a body in which models are created with changed default options.
    ///
    /// ```swift
    /// let pictures = LazyImageOptions.changing { $0.maxPixelSize = 600 } in: {
    ///     addresses.map { LazyImage($0, pipeline: pipeline) }
    /// }
    /// ```
    public static func changing<Result>(
        _ change: (inout LazyImageOptions) -> Void, in body: () throws -> Result
    ) rethrows -> Result {
        try $current.withValue(changed(change), operation: body)
    }

    /// Runs an asynchronous body in which models are created with changed default options.
    public static func changing<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ change: (inout LazyImageOptions) -> Void, in body: () async throws -> Result
    ) async rethrows -> Result {
        try await $current.withValue(changed(change), operation: body)
    }

    private static func changed(_ change: (inout LazyImageOptions) -> Void) -> LazyImageOptions {
        var options = current
        change(&options)
        return options
    }

    /// Accepts stored responses of any age, and delays downloads of the others.
    ///
    /// For lists: images that are scrolled past within the delay cause no network traffic.
    public mutating func returnStoreElseLoad(downloadDelay: Duration = .milliseconds(250)) {
        fetchPolicy = .cacheElseLoad
        self.downloadDelay = downloadDelay
    }

    /// Accepts stored responses of any age, and never uses the network.
    public mutating func returnStoreDontLoad() { fetchPolicy = .cacheOnly }
}
