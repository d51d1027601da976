import FoundationEssentials
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

/// An address that is known to be one.
func address(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is no address") }
    return url
}
