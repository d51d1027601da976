internal import LazyBase
public import LazyPipeline

/// An answer of HTTP, as a value.
public struct ServiceResponse: Sendable {
    /// What is sent behind the fields.
    public enum Body: Sendable {
        /// Nothing.
        case none
        /// Bytes in memory.
        case bytes([UInt8])
        /// Bytes that are read as the client takes them.
        case pieces(RenditionTask.Pieces)
    }

    /// The status.
    public var status: Int
    /// The header fields, by their names; without the length.
    public var fields: [String: String]
    /// The body.
    public var body: Body
    /// The number of bytes of the body, or of the one that a `GET` would get; nil where that is not known.
    public var length: Int?
    /// Where the result was found or made, for logs.
    public var origin: String?
    /// How long it is the answer to equal requests; nil where each has to be asked for.
    var repetition: Repetition?

    /// Until when an answer from memory holds.
    struct Repetition: Sendable {
        let result: RenditionTask.Repetition
        /// The number of changes of the configuration.
        let version: Int
    }

    /// Makes an answer.
    public init(
        status: Int, fields: [String: String] = [:], body: Body = .none, length: Int? = nil
    ) {
        (self.status, self.fields, self.body, self.length) = (status, fields, body, length)
    }

    /// One sentence.
    init(status: Int, text: String) {
        let bytes = Array((text + "\n").utf8)
        self.init(
            status: status, fields: ["Content-Type": "text/plain; charset=utf-8"],
            body: .bytes(bytes), length: bytes.count)
    }

    /// An error, which is kept for some seconds at most.
    init(_ error: ServiceError) {
        self.init(status: error.status, text: error.message)
        fields["Cache-Control"] =
            (400..<500).contains(error.status) && ![403, 408, 429].contains(error.status)
            ? "public, max-age=10" : "no-store"
        if let seconds = error.retryAfter { fields["Retry-After"] = "\(seconds)" }
    }
}
