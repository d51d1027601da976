internal import CCurl
import FoundationEssentials

/// The options of libcurl for a request.
struct CurlOptions {
    private let step: RedirectStep
    private var request: LoadRequest { step.request }
    private var configuration: HTTPConfiguration { step.configuration }

    init(_ step: RedirectStep) { self.step = step }

    /// Sets all options; returns the list of header fields, which the caller frees after the handle.
    func set(
        on easy: UnsafeMutableRawPointer
    ) throws(LoadingError) -> UnsafeMutablePointer<curl_slist>? {
        guard lz_curl_set_text(easy, CURLOPT_URL, request.url.absoluteString) == CURLE_OK,
            lz_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK
        else { throw step.error(.environment, "libcurl does not accept the URL") }
        setConnection(on: easy)
        setBody(on: easy)
        try setUpload(on: easy)
        let fields = try list(of: try headerLines())
        lz_curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields)
        return fields
    }

    private func setConnection(on easy: UnsafeMutableRawPointer) {
        let isSecure = request.url.scheme?.lowercased() == "https"
        // Without TLS there is no negotiation of HTTP/2.
        let version = isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        lz_curl_set_number(easy, CURLOPT_HTTP_VERSION, version)
        // Prefers to share a connection that is being established.
        lz_curl_set_number(easy, CURLOPT_PIPEWAIT, 1)
        lz_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
        // Does not wait for an abandoned name resolution.
        lz_curl_set_number(easy, CURLOPT_QUICK_EXIT, 1)
        lz_curl_set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        let timeout = min(max(1, request.connectTimeout / .milliseconds(1)), 2_000_000_000)
        lz_curl_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(timeout))
        if let caFile = configuration.caFile { lz_curl_set_text(easy, CURLOPT_CAINFO, caFile) }
        if step.isPublicOnly || !configuration.usesProxies {
            lz_curl_set_text(easy, CURLOPT_PROXY, "")
        }
    }

    private func setBody(on easy: UnsafeMutableRawPointer) {
        if let limit = configuration.bytesPerSecond {
            lz_curl_set_size(easy, CURLOPT_MAX_RECV_SPEED_LARGE, curl_off_t(max(1, limit)))
        }
        guard request.headers["Accept-Encoding"] == nil else {
            lz_curl_set_number(easy, CURLOPT_BUFFERSIZE, 256 << 10)
            return
        }
        // A body that is compressed anyway is decoded.
        lz_curl_set_text(easy, CURLOPT_ACCEPT_ENCODING, mayCompress ? "" : "identity")
        // A full buffer is decoded at once, to up to a thousand times its size.
        lz_curl_set_number(easy, CURLOPT_BUFFERSIZE, mayCompress ? 16 << 10 : 256 << 10)
    }

    private func setUpload(on easy: UnsafeMutableRawPointer) throws(LoadingError) {
        guard request.method != "GET" else { return }
        var result = lz_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
        if let upload = request.upload, result == CURLE_OK {
            lz_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(upload.count))
            // Copied: the transfer outlives this call. No bytes are an empty text.
            result =
                upload.isEmpty
                ? lz_curl_set_text(easy, CURLOPT_COPYPOSTFIELDS, "")
                : upload.withUnsafeBytes {
                    let bytes = UnsafeMutableRawPointer(mutating: $0.baseAddress)
                    return lz_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes)
                }
        }
        guard result == CURLE_OK else {
            throw step.error(.environment, "libcurl has no memory for what is sent")
        }
    }

    private var mayCompress: Bool {
        configuration.acceptsCompression && request.range == nil && request.headers["Range"] == nil
            && !configuration.compressedExtensions.contains(request.url.pathExtension.lowercased())
    }

    private func headerLines() throws(LoadingError) -> [String] {
        var headers = request.headers
        if headers["Accept"] == nil, let accept = configuration.accept {
            headers["Accept"] = accept
        }
        if headers["User-Agent"] == nil { headers["User-Agent"] = configuration.userAgent }
        if let range = request.range { headers["Range"] = range.headerValue }
        // What is sent is not announced: a server that knows no such answer is waited for.
        var lines = request.upload == nil ? [] : ["Expect:"]
        for field in headers.fields {
            guard field.isValid else {
                throw step.error(
                    .badAddress, "the header field \(field.name) is invalid")
            }
            // A semicolon sends a field without a value; a colon would remove the field.
            lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        return lines
    }

    private func list(
        of lines: [String]
    ) throws(LoadingError) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = lz_curl_list_adding(list, line) else {
                lz_curl_list_free(list)
                throw step.error(.environment, "libcurl has no memory for the header fields")
            }
            list = longer
        }
        return list
    }
}

extension HTTPHeaders.Field {
    /// Whether it is a valid field (RFC 9110, 5).
    fileprivate var isValid: Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
