internal import CCurl
import FoundationEssentials
import LazyBase

/// One transfer: the owner of its handle, and the context of libcurl's callbacks.
///
/// Confined to the loop's thread.
final class CurlTransfer {
    /// The bytes of an unwanted body that are read to keep its connection.
    private static let discardLimit = 64 << 10
    /// The size at which a piece is delivered, if the network does not pause before.
    private static let pieceSize = 256 << 10

    let id: Int
    let step: RedirectStep
    let channel: TransferChannel
    let easy: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?
    private let message: UnsafeMutablePointer<CChar>
    private let clock = SystemSteadyClock()
    private var reader: HeadReader
    private var response: HTTPResponse?
    private var piece: [UInt8] = []
    private var received = 0
    private var parked: LoadingError?
    private var isDiscarding = false
    private var isPaused = false
    private var lastActivity: Duration?
    private var rate: RateWatch
    /// The address that it is connected to.
    private var peer: IPAddress?
    /// Whether its connection is multiplexed (HTTP/2); known with the head.
    private(set) var isMultiplexed = false

    init(id: Int, step: RedirectStep, channel: TransferChannel) throws(LoadingError) {
        self.id = id
        self.step = step
        self.channel = channel
        rate = RateWatch(step.request.minimumRate, limit: step.configuration.bytesPerSecond)
        reader = HeadReader(
            fieldLimit: step.configuration.headerFields, byteLimit: step.configuration.headerBytes)
        guard let easy = lz_curl_easy_new() else {
            throw step.error(.environment, "libcurl has no memory for the transfer")
        }
        self.easy = easy
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        LiveHandles.didOpen()
        // From here on the deinit frees the handle.
        fields = try CurlOptions(step).set(on: easy)
        lz_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, message)
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard lz_curl_set_callbacks(easy, .transfer, context) == 0 else {
            throw step.error(.environment, "libcurl does not accept the callbacks")
        }
    }

    deinit {
        lz_curl_easy_free(easy)
        lz_curl_list_free(fields)
        message.deallocate()
        LiveHandles.didClose()
    }

    /// The transfer of a callback's context.
    static func of(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: - Callbacks of libcurl

    /// The connection is established, and the request is about to be sent; false ends the transfer.
    ///
    /// It may be the connection of an earlier transfer that was allowed more.
    func didConnect(to address: IPAddress?) -> Bool {
        lastActivity = clock.now
        // Another address of the host may have been refused before.
        parked = nil
        peer = address
        guard step.mustBePublic, let address else { return true }
        return mayConnect(to: address)
    }

    /// Whether an address may be connected to.
    func mayConnect(to address: IPAddress) -> Bool {
        guard step.mustBePublic, !address.isPublic else { return true }
        parked = step.notPublic
        return false
    }

    /// A line of a head, or of trailers; false ends the transfer.
    func didReceiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
        didReceiveActivity(line.count)
        switch reader.take(line) {
        case .more: return true
        case .fault(let fault):
            parked = step.error(.malformed, "the response has \(fault)")
            return false
        case .whole: break
        }
        // The second head is that of trailers.
        guard response == nil else { return true }
        let response = HTTPResponse(
            status: reader.status, headers: reader.headers, to: step, from: peer,
            isDecoding: step.request.headers["Accept-Encoding"] == nil)
        self.response = response
        isMultiplexed = lz_curl_number(easy, CURLINFO_HTTP_VERSION) >= CURL_HTTP_VERSION_2_0
        if case .body = response.outcome {} else { isDiscarding = true }
        channel.deliver(response)
        return !isDiscarding || response.head.expectedCount ?? 0 <= Self.discardLimit
    }

    /// Bytes of the body, decoded; false ends the transfer.
    func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        didReceiveActivity(bytes.count)
        received += bytes.count
        if isDiscarding { return received <= Self.discardLimit }
        if let limit = step.request.maximumBytes, received > limit {
            parked = step.tooLarge(limit)
            return false
        }
        if piece.isEmpty { piece.reserveCapacity(roomForPiece(of: bytes.count)) }
        piece.append(contentsOf: bytes)
        if piece.count >= Self.pieceSize { flush() }
        return true
    }

    private func didReceiveActivity(_ count: Int) {
        let now = clock.now
        lastActivity = now
        rate.didReceive(count, at: now)
    }

    private func roomForPiece(of count: Int) -> Int {
        guard let expected = response?.head.expectedCount else { return count }
        return max(count, min(Self.pieceSize, expected - received + count))
    }

    // MARK: - Calls of the loop

    /// Delivers the received bytes; pauses if the consumer is slower.
    func flush() {
        guard !piece.isEmpty else { return }
        let isFull = channel.push(piece)
        piece = []
        guard isFull, !isPaused else { return }
        isPaused = true
        rate.pause(at: clock.now)
        // Also tells an HTTP/2 server to stop this stream, so that the others go on.
        lz_curl_pause(easy, CURLPAUSE_RECV)
    }

    /// Resumes after a pause; returns false if the transfer cannot continue.
    ///
    /// libcurl delivers what it has buffered at once and reports a refusal of that only here: the
    /// transfer itself would continue after the gap.
    func resume(now: Duration) -> Bool {
        guard isPaused else { return true }
        isPaused = false
        lastActivity = now
        rate.resume(at: now)
        return lz_curl_pause(easy, CURLPAUSE_CONT) == CURLE_OK && parked == nil
    }

    /// When the transfer times out if no more bytes arrive.
    var deadline: Duration? {
        let idle = isPaused ? nil : lastActivity.map { $0 + step.request.readTimeout }
        return [idle, rate.deadline, step.deadline].compactMap { $0 }.min()
    }

    /// The error of a transfer that has timed out, or nil.
    func timeoutError(now: Duration) -> LoadingError? {
        guard let deadline, deadline <= now else { return nil }
        if step.deadline == deadline { return step.totalTimeout }
        if rate.deadline == deadline {
            guard rate.isTooSlow(at: now) else { return nil }
            return step.error(.timeout, "fewer than \(rate.bytesPerSecond) bytes a second arrive")
        }
        return step.error(
            .timeout, "the server has sent nothing for \(step.request.readTimeout.text)")
    }

    /// The outcome of libcurl's result.
    func outcome(of result: CURLcode) -> Result<Void, LoadingError> {
        flush()
        if isDiscarding { return .success(()) }
        if let parked { return .failure(parked) }
        if result == CURLE_OK {
            if response != nil { return .success(()) }
            return .failure(step.error(.reset, "the connection ended in the head of the response"))
        }
        let fault = CurlFault(
            result, message: String(cString: message), hasHead: response != nil)
        return .failure(step.error(fault.code, fault.cause))
    }
}
