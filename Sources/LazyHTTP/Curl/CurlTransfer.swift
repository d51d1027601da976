internal import CCurl
import FoundationEssentials
import LazyBytes
import LazyLoading

/// One transfer: the owner of its handle, and what libcurl's callbacks work on.
///
/// Belongs to the loop's thread.
final class CurlTransfer {
    /// Of an answer that nobody wants, so much is read to keep its connection.
    private static let discardLimit = 64 << 10
    /// A piece is handed on at this size, or when the network pauses.
    private static let pieceSize = 256 << 10

    let id: Int
    let hop: Hop
    let channel: TransferChannel
    let easy: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?
    private let message: UnsafeMutablePointer<CChar>
    private let clock = SystemSteadyClock()
    private var reader: HeadReader
    private var answer: Answer?
    private var piece: [UInt8] = []
    private var received = 0
    private var parked: LoadingError?
    private var isDiscarding = false
    private var isPaused = false
    private var lastSign: Duration?
    private var rate: RateWatch
    /// Whether its connection carries many requests side by side; known with the head.
    private(set) var isMultiplexed = false

    init(id: Int, hop: Hop, channel: TransferChannel) throws(LoadingError) {
        self.id = id
        self.hop = hop
        self.channel = channel
        rate = RateWatch(hop.request.minimumRate, limit: hop.configuration.bytesPerSecond)
        reader = HeadReader(
            fieldLimit: hop.configuration.headerFields, byteLimit: hop.configuration.headerBytes)
        guard let easy = lz_curl_easy_new() else {
            throw hop.error(.environment, "libcurl has no memory for the transfer")
        }
        self.easy = easy
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        LiveHandles.didOpen()
        // From here on the deinit frees.
        fields = try CurlOptions(hop).set(on: easy)
        lz_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, message)
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard lz_curl_set_callbacks(easy, .transfer, context) == 0 else {
            throw hop.error(.environment, "libcurl does not take the callbacks")
        }
    }

    deinit {
        lz_curl_easy_free(easy)
        lz_curl_list_free(fields)
        message.deallocate()
        LiveHandles.didClose()
    }

    /// The transfer that a callback's context stands for.
    static func of(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: - What libcurl calls

    /// The connection is there, and the request goes out now.
    func didConnect() {
        lastSign = clock.now
        // Another address of the host was refused; this one is good.
        parked = nil
    }

    /// An address is about to be connected to; whether it may.
    func mayConnect(to address: IPAddress) -> Bool {
        guard hop.configuration.addressPolicy == .publicOnly, !address.isPublic else { return true }
        parked = hop.error(
            hop.count == 0 ? .badAddress : .redirect,
            "its host is not on the public Internet, and nothing else may be loaded here")
        return false
    }

    /// A line of a head, or of trailers; false ends the transfer.
    func didReceiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
        didReceiveSign(line.count)
        switch reader.take(line) {
        case .more: return true
        case .fault(let words):
            parked = hop.error(.malformed, "the answer has \(words)")
            return false
        case .whole: break
        }
        // A whole head that was already answered is that of trailers.
        guard answer == nil else { return true }
        let answer = Answer(
            status: reader.status, headers: reader.headers, to: hop,
            isDecoding: hop.request.headers["Accept-Encoding"] == nil)
        self.answer = answer
        isMultiplexed = lz_curl_number(easy, CURLINFO_HTTP_VERSION) >= CURL_HTTP_VERSION_2_0
        if case .body = answer.meaning {} else { isDiscarding = true }
        channel.deliver(answer)
        return !isDiscarding || answer.head.expectedCount ?? 0 <= Self.discardLimit
    }

    /// Bytes of the body, decoded; false ends the transfer.
    func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        didReceiveSign(bytes.count)
        received += bytes.count
        if isDiscarding { return received <= Self.discardLimit }
        if let limit = hop.request.maximumBytes, received > limit {
            parked = hop.tooLarge(limit)
            return false
        }
        if piece.isEmpty { piece.reserveCapacity(roomForPiece(of: bytes.count)) }
        piece.append(contentsOf: bytes)
        if piece.count >= Self.pieceSize { flush() }
        return true
    }

    private func didReceiveSign(_ count: Int) {
        let now = clock.now
        lastSign = now
        rate.didReceive(count, at: now)
    }

    private func roomForPiece(of count: Int) -> Int {
        guard let expected = answer?.head.expectedCount else { return count }
        return max(count, min(Self.pieceSize, expected - received + count))
    }

    // MARK: - What the loop calls

    /// Hands on what has come; pauses where the consumer is slower.
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

    /// The consumer has room again; whether the transfer can go on.
    ///
    /// What libcurl has kept meanwhile comes at once, and a refusal of it is told here only: the
    /// transfer itself would go on behind the gap.
    func resume(now: Duration) -> Bool {
        guard isPaused else { return true }
        isPaused = false
        lastSign = now
        rate.resume(at: now)
        return lz_curl_pause(easy, CURLPAUSE_CONT) == CURLE_OK && parked == nil
    }

    /// When the transfer is to be ended for its slowness, if nothing comes until then.
    var deadline: Duration? {
        let quiet = isPaused ? nil : lastSign.map { $0 + hop.request.readTimeout }
        return [quiet, rate.deadline, hop.deadline].compactMap { $0 }.min()
    }

    /// The error of a transfer that is too slow.
    func lateness(now: Duration) -> LoadingError? {
        guard let deadline, deadline <= now else { return nil }
        if hop.deadline == deadline { return hop.totalTimeout }
        if rate.deadline == deadline {
            guard rate.isTooSlow(at: now) else { return nil }
            return hop.error(.timeout, "less than \(rate.bytesPerSecond) bytes a second come")
        }
        return hop.error(
            .timeout, "nothing has come from the server for \(hop.request.readTimeout.words)")
    }

    /// What libcurl's result means.
    func outcome(of result: CURLcode) -> Result<Void, LoadingError> {
        flush()
        if isDiscarding { return .success(()) }
        if let parked { return .failure(parked) }
        if result == CURLE_OK {
            if answer != nil { return .success(()) }
            return .failure(hop.error(.reset, "the connection ended in the head of the answer"))
        }
        let fault = CurlFault(
            result, words: String(cString: message), hasHead: answer != nil)
        return .failure(hop.error(fault))
    }
}
