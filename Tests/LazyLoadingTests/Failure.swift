import FoundationEssentials
import LazyLoading

/// The error thrown by some work, or nil.
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

/// A URL that is known to be valid.
func address(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is no address") }
    return url
}
