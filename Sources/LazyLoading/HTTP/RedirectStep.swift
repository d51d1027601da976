import FoundationEssentials
import Glibc
import LazyBase

/// One request of a load: the first one, or the target of a redirect.
struct RedirectStep: Sendable {
    let request: LoadRequest
    let configuration: HTTPConfiguration
    /// The number of redirects followed so far.
    private(set) var count = 0
    /// Whether the redirect to it came from the public Internet.
    private(set) var isFromPublic = false
    /// The end of the time for the whole load, by the steady clock.
    let deadline: Duration?

    init(of request: LoadRequest, configuration: HTTPConfiguration) throws(LoadingError) {
        self.request = request
        self.configuration = configuration
        deadline = request.totalTimeout.map { SystemSteadyClock().now + $0 }
        guard isHTTP(request.url), request.url.host()?.isEmpty == false else {
            throw LoadingError(.badAddress, "\(address) is not an HTTP URL.")
        }
        guard configuration.allowsAddress?(request.url) ?? true else {
            throw LoadingError(.badAddress, "\(address) may not be loaded here.")
        }
    }

    private init(_ request: LoadRequest, after step: RedirectStep, isPublic: Bool) {
        self.request = request
        isFromPublic = step.isFromPublic || isPublic
        configuration = step.configuration
        deadline = step.deadline
        count = step.count + 1
    }

    /// The URL as messages show it, without user and password.
    var address: String { request.url.redacted }

    /// The origin, whose requests share connections: scheme, host and port.
    var host: String { request.url.origin }

    /// Whether it may connect to addresses of the public Internet only.
    ///
    /// What is public never leads into a private network: the name of a public host may mean a private address a moment
    /// later, and its server may redirect to one. A proxy has the address of the proxy.
    var mustBePublic: Bool { isPublicOnly || isFromPublic }

    /// Whether it may connect to the public Internet only, and without a proxy.
    var isPublicOnly: Bool {
        if configuration.addressPolicy == .publicOnly { return true }
        guard let trusted = request.trustedHost else { return false }
        return request.url.host()?.lowercased() != trusted
    }

    /// The request that a redirect leads to; throws if it may not be followed.
    ///
    /// `isPublic` is whether the redirect came from an address of the public Internet.
    func following(
        _ location: String, status: Int, isPublic: Bool
    ) throws(LoadingError) -> RedirectStep {
        func refusal(_ reason: String) -> LoadingError {
            LoadingError(.redirect, "\(address) redirects \(reason).", status: status)
        }
        guard count < configuration.redirects else {
            throw refusal("further after \(configuration.redirects) redirects")
        }
        let target = URL(string: location, relativeTo: request.url)?.absoluteURL
        guard let target, target.host()?.isEmpty == false else { throw refusal("to no valid URL") }
        guard isHTTP(target) else { throw refusal("to \(target.redacted), which is not HTTP") }
        let isDowngrade = scheme(of: request.url) == "https" && scheme(of: target) == "http"
        guard !isDowngrade || configuration.allowsDowngrade else {
            throw refusal("from https to \(target.redacted), which is not encrypted")
        }
        guard configuration.allowsAddress?(target) ?? true else {
            throw refusal("to \(target.redacted), which may not be loaded here")
        }
        let portable = configuration.portableHeaders
        return RedirectStep(
            request.moved(to: target, portable: portable), after: self, isPublic: isPublic)
    }
}

// MARK: - Errors

extension RedirectStep {
    /// An error whose message names the URL and the cause.
    func error(_ code: LoadingError.Code, _ cause: String) -> LoadingError {
        LoadingError(code, "\(address) cannot be loaded: \(cause).")
    }

    /// The error of a body beyond the size limit.
    func tooLarge(_ limit: Int) -> LoadingError {
        error(.tooLarge, "it is larger than \(limit) bytes")
    }

    /// The error of an address that is in a private network, where it must be public.
    var notPublic: LoadingError {
        let reason = isPublicOnly ? "is required here" : "a redirect must not leave"
        return error(
            count == 0 ? .badAddress : .redirect,
            "its host is not on the public Internet, which \(reason)")
    }

    /// The error of a load that took too long in all.
    var totalTimeout: LoadingError {
        error(.timeout, "it took longer than \((request.totalTimeout ?? .zero).text) in total")
    }
}

extension Duration {
    /// The duration in seconds or milliseconds, for messages.
    var text: String {
        let milliseconds = Int((self / .milliseconds(1)).rounded())
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}

private func scheme(of url: URL) -> String { url.scheme?.lowercased() ?? "" }

private func isHTTP(_ url: URL) -> Bool { ["http", "https"].contains(scheme(of: url)) }

extension URL {
    /// The URL without user and password.
    fileprivate var redacted: String {
        guard user() != nil || password() != nil,
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return absoluteString }
        (parts.user, parts.password) = (nil, nil)
        return parts.string ?? "a URL with a password"
    }
}
