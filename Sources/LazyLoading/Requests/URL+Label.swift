package import FoundationEssentials

extension URL {
    /// Whether its bytes come by HTTP: from a server, or from a bucket of S3.
    package var isRemote: Bool {
        ["http", "https", "s3"].contains(scheme?.lowercased())
    }

    /// The URL without user and password.
    var withoutUser: URL {
        guard user() != nil || password() != nil,
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        (parts.user, parts.password) = (nil, nil)
        return parts.url ?? self
    }

    /// The URL for messages: without user and password, and abbreviated.
    package var shortLabel: String {
        let text = withoutUser.absoluteString
        return text.utf8.count > 200 ? String(text.prefix(60)) + "…" : text
    }
}
