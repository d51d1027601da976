import FoundationEssentials
import Glibc
import LazyBytes
import LazyLoading

/// One request of a load: the first, or one that a redirect led to.
struct Hop: Sendable {
    let request: LoadRequest
    let configuration: HTTPLoader.Configuration
    /// Redirects followed so far.
    private(set) var count = 0
    /// The time by which the whole load is to be done, by the steady clock.
    let deadline: Duration?

    init(of request: LoadRequest, configuration: HTTPLoader.Configuration) throws(LoadingError) {
        self.request = request
        self.configuration = configuration
        deadline = request.totalTimeout.map { SystemSteadyClock().now + $0 }
        guard isHTTP(request.url), request.url.host()?.isEmpty == false else {
            throw LoadingError(.badAddress, "\(address) is no address of HTTP.")
        }
        guard configuration.allowsAddress?(request.url) ?? true else {
            throw LoadingError(.badAddress, "\(address) may not be loaded here.")
        }
    }

    private init(_ request: LoadRequest, after hop: Hop) {
        self.request = request
        configuration = hop.configuration
        deadline = hop.deadline
        count = hop.count + 1
    }

    /// The address as messages show it, without password or user.
    var address: String { request.url.redacted }

    /// What connections are shared by: scheme, host and port.
    var host: String { request.url.origin }

    /// The request that a redirect leads to, or why it may not be followed.
    func following(_ location: String, status: Int) throws(LoadingError) -> Hop {
        func refusal(_ reason: String) -> LoadingError {
            LoadingError(.redirect, "\(address) redirects \(reason).", status: status)
        }
        guard count < configuration.redirects else {
            throw refusal("further after \(configuration.redirects) redirects")
        }
        let target = URL(string: location, relativeTo: request.url)?.absoluteURL
        guard let target, target.host()?.isEmpty == false else { throw refusal("to no address") }
        guard isHTTP(target) else { throw refusal("to \(target.redacted), which is not HTTP") }
        let isDowngrade = scheme(of: request.url) == "https" && scheme(of: target) == "http"
        guard !isDowngrade || configuration.allowsDowngrade else {
            throw refusal("from https to \(target.redacted), which is not encrypted")
        }
        guard configuration.allowsAddress?(target) ?? true else {
            throw refusal("to \(target.redacted), which may not be loaded here")
        }
        let portable = configuration.portableHeaders
        return Hop(request.moved(to: target, portable: portable), after: self)
    }
}

private func scheme(of url: URL) -> String { url.scheme?.lowercased() ?? "" }

private func isHTTP(_ url: URL) -> Bool { ["http", "https"].contains(scheme(of: url)) }

extension URL {
    /// The address with user and password left out.
    var redacted: String {
        guard user() != nil || password() != nil,
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return absoluteString }
        (parts.user, parts.password) = (nil, nil)
        return parts.string ?? "an address with a password"
    }
}
