internal import CCurl
import LazyBase

/// The owner of a multi handle.
///
/// Unchecked: only the loop's thread uses the handle, except for `wakeUp`, which is thread-safe, and
/// for the deinit, which has the last reference.
final class CurlMulti: @unchecked Sendable {
    private let handle: OpaquePointer

    /// Loads libcurl on first use.
    init(_ configuration: HTTPConfiguration) throws(LoadingError) {
        guard lz_curl_load() == 0 else {
            throw LoadingError(.environment, String(cString: lz_curl_load_message()))
        }
        guard let handle = lz_curl_multi_new() else {
            throw LoadingError(.environment, "libcurl has no memory for its transfers.")
        }
        // Without descriptors for it the loop would not hear of new transfers, and libcurl does not say so.
        guard lz_curl_multi_wakeup(handle) == CURLM_OK else {
            lz_curl_multi_free(handle)
            throw LoadingError(.environment, "libcurl cannot open what it waits with.")
        }
        self.handle = OpaquePointer(handle)
        LiveHandles.didOpen()
        lz_curl_multi_set(handle, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        lz_curl_multi_set(
            handle, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost)
        // By default libcurl (seen in 8.14) keeps four times as many as transfers run, and closes idle ones
        // when the last of several end at once.
        lz_curl_multi_set(handle, CURLMOPT_MAXCONNECTS, max(1, configuration.transfers))
    }

    deinit {
        lz_curl_multi_free(raw)
        LiveHandles.didClose()
    }

    private var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(handle) }

    /// Ends a poll, now or the next one.
    func wakeUp() { lz_curl_multi_wakeup(raw) }

    func add(_ transfer: CurlTransfer) -> Bool { lz_curl_multi_add(raw, transfer.easy) == CURLM_OK }

    func remove(_ transfer: CurlTransfer) { lz_curl_multi_remove(raw, transfer.easy) }

    /// Does all work that does not block.
    func perform() { lz_curl_multi_perform(raw) }

    /// Waits for the network, a `wakeUp` or a timeout.
    func poll(_ length: Duration) {
        let milliseconds = min(max(0, (length / .milliseconds(1)).rounded(.up)), 600_000)
        lz_curl_multi_poll(raw, CInt(milliseconds))
    }

    /// Removes a finished transfer from the list and returns it.
    func nextDone() -> (transfer: CurlTransfer, result: CURLcode)? {
        var result = CURLE_OK
        guard let easy = lz_curl_multi_next_done(raw, &result), let context = lz_curl_context(easy)
        else { return nil }
        return (CurlTransfer.of(context), result)
    }
}
