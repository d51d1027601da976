/// Whether a response may be stored (RFC 9111, 3).
///
/// A private cache may store `private` responses and those to requests with credentials; a shared
/// one only if the response allows it.
public enum Storability {
    /// Whether heuristic freshness is allowed for a status (RFC 9110, 15.1).
    public static func isCacheableByDefault(_ status: Int) -> Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Whether a response may be stored.
    ///
    /// A partial response (206) may not: parts are stored only to complete them.
    public static func isStorable(
        method: String = "GET", requestHeaders: HTTPHeaders = HTTPHeaders(), status: Int,
        headers: HTTPHeaders, isShared: Bool = false, hasCredentials: Bool = false
    ) -> Bool {
        let control = CacheControl(headers)
        // 5.2.2.3: a cache that understands the status ignores no-store beside must-understand.
        let isUnderstood = control.contains("must-understand") && isCacheableByDefault(status)
        guard method == "GET", status >= 200, status != 206, status != 304,
            !control.isNoStore || isUnderstood,
            !CacheControl(requestHeaders).isNoStore, !Vary(headers).isAny
        else { return false }
        if isShared {
            let hasUser = hasCredentials || requestHeaders["Authorization"] != nil
            guard !control.isPrivate, !hasUser || control.allowsSharing else { return false }
        }
        return isCacheableByDefault(status) || isShared && control.sharedMaxAge != nil
            || control.maxAge != nil || control.isPublic
            || control.isPrivate || headers["Expires"] != nil
    }
}
