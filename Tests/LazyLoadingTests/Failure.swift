import LazyLoading

/// The error that some work throws, or nil.
func failure<Result>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Result
) async -> LoadingError? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error as? LoadingError
    }
}
