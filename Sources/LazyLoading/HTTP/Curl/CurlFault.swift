internal import CCurl

/// The error of a transfer, derived from libcurl's result.
struct CurlFault {
    let code: LoadingError.Code
    let cause: String

    /// Makes an error of libcurl's result and message; `hasHead` if a response head has arrived.
    init(_ result: CURLcode, message: String, hasHead: Bool) {
        let message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        code = Self.code(of: result, message: message, hasHead: hasHead)
        let general = Self.causes[code] ?? "loading failed"
        let detail = message.isEmpty ? String(cString: lz_curl_message(result)) : message
        cause = "\(general) (\(detail.hasSuffix(".") ? String(detail.dropLast()) : detail))"
    }

    private static let causes: [LoadingError.Code: String] = [
        .badAddress: "the URL is invalid", .dns: "the host name cannot be resolved",
        .connect: "no connection can be established",
        .tls: "no secure connection can be established",
        .reset: "the connection was lost", .timeout: "the server takes too long",
        .tooLarge: "it is too large", .truncated: "it ended too early",
        .malformed: "the response violates HTTP",
        .redirect: "there are too many redirects", .environment: "libcurl failed",
    ]

    private static func code(
        of result: CURLcode, message: String, hasHead: Bool
    ) -> LoadingError.Code {
        switch result {
        // libcurl has one code for lost connections and for malformed chunks.
        case CURLE_RECV_ERROR where message.contains("chunk"): .malformed
        // libcurl before 8.6 reports a field too long for its buffer as out of memory.
        case LZ_CURLE_TOO_LARGE: .malformed
        case CURLE_OUT_OF_MEMORY where !hasHead: .malformed
        default: codes[result.rawValue] ?? .environment
        }
    }

    private static let codes: [UInt32: LoadingError.Code] = {
        let groups: [(LoadingError.Code, [CURLcode])] = [
            (.badAddress, [CURLE_URL_MALFORMAT]),
            (.dns, [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY]),
            (.connect, [CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_NO_CONNECTION_AVAILABLE]),
            (
                .tls,
                [
                    CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER,
                    CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
                    CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED,
                    CURLE_SSL_SHUTDOWN_FAILED,
                ]
            ),
            (
                .reset,
                [
                    CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2,
                    CURLE_HTTP2_STREAM,
                ]
            ),
            (.timeout, [CURLE_OPERATION_TIMEDOUT]),
            (.tooLarge, [CURLE_FILESIZE_EXCEEDED]),
            // Also without a byte of the body: the server may have been restarted.
            (.truncated, [CURLE_PARTIAL_FILE]),
            // Another protocol than HTTP means here that the response does not begin like HTTP.
            (
                .malformed,
                [CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING]
            ),
            (.redirect, [CURLE_TOO_MANY_REDIRECTS]),
        ]
        return Dictionary(
            uniqueKeysWithValues: groups.flatMap { code, results in
                results.map { ($0.rawValue, code) }
            })
    }()
}
