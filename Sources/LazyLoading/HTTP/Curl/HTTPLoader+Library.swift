internal import CCurl

extension HTTPLoader {
    /// The version of libcurl, or nil if it is missing; loads it.
    public static var libraryVersion: String? {
        guard lz_curl_load() == 0, let version = lz_curl_version() else { return nil }
        return String(cString: version)
    }
}
