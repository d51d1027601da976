/// Whether an answer may be kept (RFC 9111, 3).
///
/// A private cache may keep what is `private` and answers to requests with credentials, as it has one
/// user; a shared one may not, or only where the answer allows it.
public enum Storability {
    /// Whether an answer of a status may be reckoned fresh by heuristics (RFC 9110, 15.1).
    public static func isCacheableByDefault(_ status: Int) -> Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Whether an answer may be kept.
    ///
    /// A part (206) may not: this cache keeps whole bodies, and parts only to make them whole.
    public static func isStorable(
        method: String = "GET", requestHeaders: HTTPHeaders = HTTPHeaders(), status: Int,
        headers: HTTPHeaders, isShared: Bool = false, hasCredentials: Bool = false
    ) -> Bool {
        let control = CacheControl(headers)
        // 5.2.2.3: who understands the status may pass over the no-store beside must-understand.
        let isUnderstood = control.contains("must-understand") && isCacheableByDefault(status)
        guard method == "GET", status >= 200, status != 206, status != 304,
            !control.isNoStore || isUnderstood,
            !CacheControl(requestHeaders).isNoStore, !Vary(headers).isAny
        else { return false }
        if isShared {
            let isForOne = hasCredentials || requestHeaders["Authorization"] != nil
            guard !control.isPrivate, !isForOne || control.allowsSharing else { return false }
        }
        return isCacheableByDefault(status) || isShared && control.sharedMaxAge != nil
            || control.maxAge != nil || control.isPublic
            || control.isPrivate || headers["Expires"] != nil
    }
}
