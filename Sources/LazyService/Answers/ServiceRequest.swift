/// A request of HTTP, as far as a service looks at it.
public struct ServiceRequest: Sendable {
    /// The method, in capitals.
    public var method: String
    /// The target as the request has it, not decoded: a path and a query.
    public var target: String
    /// The header fields, by names in lower case.
    public var fields: [String: String]

    /// Makes a request.
    public init(method: String = "GET", target: String, fields: [String: String] = [:]) {
        (self.method, self.target, self.fields) = (method, target, fields)
    }
}
