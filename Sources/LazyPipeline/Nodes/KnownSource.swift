internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading

/// What is known of a source before it is decoded, and the load that has told it, which is continued once.
///
/// Who makes several renditions of one source holds it, so that all are made of the bytes that one load has brought.
final class KnownSource: HeldSource {
    /// A load that has begun.
    enum Begun: Sendable {
        /// A response whose body is to be read on.
        case response(LoadResponse)
        /// A film that is read by ranges.
        case ranges(RemoteMedia)
    }

    private struct State {
        var version: String?
        var begun: Begun?
        var loaded: LoadedData?
    }

    let freshness: SourceFreshness
    /// The number of its bytes, if it is known.
    let byteCount: Int?
    /// Whether it is read by ranges.
    let isRanged: Bool
    private let state: Locked<State>

    init(
        version: String?, _ freshness: SourceFreshness, byteCount: Int? = nil, begun: Begun? = nil
    ) {
        self.freshness = freshness
        self.byteCount = byteCount
        isRanged = if case .ranges? = begun { true } else { false }
        state = Locked(State(version: version, begun: begun))
    }

    /// What tells its bytes from those of other versions; nil if that is not known before they are loaded.
    var version: String? { state.withLock { $0.version } }

    /// All bytes, once they are loaded.
    var loaded: LoadedData? { state.withLock { $0.loaded } }

    /// Keeps all bytes, for what else is made of them; a load that nobody has continued ends.
    func keep(_ data: LoadedData, version: String?) {
        let before = state.withLock { state in
            defer { state = State(version: version ?? state.version, loaded: data) }
            return state.begun
        }
        withExtendedLifetime(before) {}
    }

    /// The response to read on; nil after the first call.
    func takeResponse() -> LoadResponse? {
        state.withLock { state in
            guard case .response(let response) = state.begun else { return nil }
            state.begun = nil
            return response
        }
    }

    /// The film to read; nil while somebody else reads it.
    func takeRanges() -> RemoteMedia? {
        state.withLock { state in
            guard case .ranges(let media) = state.begun else { return nil }
            state.begun = nil
            return media
        }
    }

    /// Lets the next one read a film, with the parts that are fetched.
    func giveBack(_ media: RemoteMedia) {
        guard isRanged else { return }
        var media = media
        // Each reader counts its own bytes.
        let (count, before) = (media.bytesRead, media.bytesRead())
        media.bytesRead = { max(0, count() - before) }
        state.withLock { [media] state in state.begun = .ranges(media) }
    }

    /// Whether there is a response to read on whose length is not known.
    var hasUnendingResponse: Bool {
        state.withLock { state in
            guard case .response(let response) = state.begun else { return false }
            return response.head.status == 200 && response.head.expectedCount == nil
        }
    }

    /// Whether there is a response to read on.
    var hasResponse: Bool {
        state.withLock { if case .response = $0.begun { true } else { false } }
    }
}

// The versions of sources, as keys of results and metadata of the data cache have them.
extension KnownSource {
    private static let word = "version="

    /// The version of a response by the validators of its server; nil without them.
    static func version(of request: ImageRequest, _ head: ResponseHead) -> String? {
        let validator = Validator(head.headers)
        let version =
            validator.entityTag.map { "etag:\($0)" } ?? validator.lastModified.map { "date:\($0)" }
        // Another resource may have the same date.
        guard let version, head.url != request.url else { return version }
        return "\(version) of \(head.url.shortLabel)"
    }

    /// The version of bytes without a validator; blocks.
    static func version(of blob: Blob) throws(SystemError) -> String {
        "sha256:\(try RenditionTask.Tag.text(of: blob))"
    }

    /// The version as metadata of the bytes.
    static func metadata(of request: ImageRequest, _ head: ResponseHead?) -> [UInt8] {
        guard let version = head.flatMap({ version(of: request, $0) }) else { return [] }
        return Array("\(word)\(version)".utf8)
    }

    static func metadata(_ version: String) -> [UInt8] { Array("\(word)\(version)".utf8) }

    static func version(in metadata: [UInt8]) -> String? {
        let text = String(decoding: metadata, as: UTF8.self)
        return text.hasPrefix(word) ? String(text.dropFirst(word.count)) : nil
    }
}

extension SourceFreshness {
    /// How long a response is fresh, that has just arrived or was served by a cache.
    init(of head: ResponseHead, to load: LoadRequest, _ clocks: Clocks) {
        // A loader that knows no rules of caches is asked each time.
        guard head.origin != .local else {
            self = .none
            return
        }
        let (wall, now) = (clocks.wall(), clocks.steady.now)
        let response = StoredResponse(head, to: load, requestTime: wall, responseTime: wall)
        let control = CacheControl(head.headers)
        let freshness = Freshness(of: response, now: wall)
        isPrivate =
            control.isPrivate || load.url.user() != nil || load.credentialDigest(salt: "") != nil
        isStorable = !control.isNoStore
        let isAsked = control.isNoStore || control.isNoCache
        // Without a word of its server there is none, in place of none at all.
        let isTold =
            isAsked || freshness.lifetime > .zero || control.maxAge != nil
            || !head.headers.values(of: "Expires").isEmpty
        lifetime = isAsked ? .zero : isTold ? freshness.lifetime : nil
        allowsStaleUse = !control.forbidsStaleUse
        birth = now - freshness.age
        end =
            lifetime ?? .zero == .zero || head.origin == .stale
            ? .zero : now - freshness.age + freshness.lifetime
    }

    /// How old it is.
    func age(at now: @autoclosure () -> Duration) -> Duration? {
        birth.map { max(.zero, now() - $0) }
    }
}
