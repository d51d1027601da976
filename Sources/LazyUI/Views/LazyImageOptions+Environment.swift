internal import LazyLoading

extension LazyImageOptions {
    /// The options of models that are given none, in this part of the program.
    ///
    /// Its `pipeline` is that of all models and prefetchers that are given none, not of `LazyImage` alone.
    /// Follows tasks and calls, as an environment follows a hierarchy of views: what is made inside of
    /// `changing(_:in:)` has the changed ones, and elsewhere nothing is different.
    @TaskLocal public static var current = LazyImageOptions()

    /// Runs a body in which models that are given no options have changed ones.
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

    /// Runs a body that suspends, in which models that are given no options have changed ones.
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

    /// Takes what the store has, however old, and asks the network for the rest after a delay.
    ///
    /// For lists: what was scrolled past before that never touched the network.
    public mutating func returnStoreElseLoad(downloadDelay: Duration = .milliseconds(250)) {
        fetchPolicy = .cacheElseLoad
        self.downloadDelay = downloadDelay
    }

    /// Takes what the store has, however old, and never asks the network.
    public mutating func returnStoreDontLoad() { fetchPolicy = .cacheOnly }
}
