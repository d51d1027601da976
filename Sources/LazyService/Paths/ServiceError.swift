internal import LazyPipeline
internal import LazyRenditions

/// Why a request is not answered with what it asks for.
struct ServiceError: Error, Hashable, CustomStringConvertible {
    /// The HTTP status.
    let status: Int
    /// A sentence for the client.
    let message: String
    /// After how many seconds asking again may help; nil where that is not known.
    var retryAfter: Int?

    init(_ status: Int, _ message: String) { (self.status, self.message) = (status, message) }

    var description: String { message }

    /// The error of a load; an address that must not be loaded is one that is not there.
    init(_ error: PipelineError) {
        let status = error.httpStatus
        self.init(status == 400 ? 404 : status, error.description)
    }
}
