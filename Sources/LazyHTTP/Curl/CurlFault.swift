internal import CCurl
import LazyLoading

/// The fault of a transfer in the words of the house.
struct CurlFault {
    let code: LoadingError.Code
    let cause: String

    /// Takes libcurl's code and words, and whether a head had come.
    init(_ result: CURLcode, words: String, hasHead: Bool) {
        let words = words.split(whereSeparator: \.isNewline).joined(separator: " ")
        code = Self.code(of: result, words: words, hasHead: hasHead)
        let general = Self.causes[code] ?? "loading failed"
        let detail = words.isEmpty ? String(cString: lz_curl_message(result)) : words
        cause = "\(general) (\(detail.hasSuffix(".") ? String(detail.dropLast()) : detail))"
    }

    private static let causes: [LoadingError.Code: String] = [
        .badAddress: "the address is none", .dns: "the host's name has no address",
        .connect: "no connection can be made", .tls: "the connection cannot be secured",
        .reset: "the connection was lost", .timeout: "the server takes too long",
        .tooLarge: "it is too large", .truncated: "it ended too early",
        .malformed: "the answer breaks the rules of HTTP",
        .redirect: "there are too many redirects", .environment: "libcurl failed",
    ]

    private static func code(
        of result: CURLcode, words: String, hasHead: Bool
    ) -> LoadingError.Code {
        switch result {
        // libcurl has one code for a lost connection and for chunks that are none.
        case CURLE_RECV_ERROR where words.contains("chunk"): .malformed
        // A field too long for libcurl's buffer is "out of memory".
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
            // Also where not a byte of the body came: the server died, and may be back soon.
            (.truncated, [CURLE_PARTIAL_FILE]),
            // Another protocol than HTTP can only mean here that the answer begins like none.
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

extension Hop {
    func error(_ fault: CurlFault) -> LoadingError { error(fault.code, fault.cause) }
}
