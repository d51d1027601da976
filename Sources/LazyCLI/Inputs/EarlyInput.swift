internal import LazyBase
internal import LazyKit
internal import LazyMedia

/// The input of a command, opened while the program parses its arguments.
///
/// Parsing takes a quarter of the time of a small picture's poster, and a tenth of a film's by a decoder that runs
/// already.
enum EarlyInput {
    /// What an input is opened with.
    private struct Key: Equatable {
        let path: String
        let limits: DecodingLimits
        let host: ObjectIdentifier?

        init(_ path: String, _ limits: DecodingLimits, _ host: DecoderHost?) {
            self.path = path
            self.limits = limits
            self.host = host.map { ObjectIdentifier($0) }
        }
    }

    /// An opened file.
    struct Media {
        let byteCount: Int
        let sequence: FrameSequence
    }

    private struct State {
        var key: Key?
        var isOpening = false
        /// The opened file; nil if that failed.
        var media: Media?
    }
    private static let state = LockedCondition(State())

    /// Begins to open a file, and returns at once; without a thread, nothing is lost but time.
    static func open(_ path: String, _ limits: DecodingLimits, _ host: DecoderHost?) {
        let key = Key(path, limits, host)
        state.withLock { $0 = State(key: key, isOpening: true) }
        do throws(SystemError) {
            try DetachedThread.start(blocksSignals: true) {
                let media = try? media(path, limits, host)
                state.withLock { if $0.key == key { $0 = State(key: key, media: media) } }
                state.broadcast()
            }
        } catch {
            state.withLock { $0 = State() }
        }
    }

    private static func media(
        _ path: String, _ limits: DecodingLimits, _ host: DecoderHost?
    ) throws(MediaError) -> Media {
        let bytes = try FileBytes(name: path.systemPath, label: path)
        let sequence = try Input.sequence(bytes, limits, .decoders(of: host))
        return Media(byteCount: bytes.count, sequence: sequence)
    }

    /// The file, once, if it is open or being opened with these limits and by this host; else nil, and it is let go.
    ///
    /// Blocks until it is open. What failed is opened again by the caller, who tells of the error.
    static func take(
        _ path: String, _ limits: DecodingLimits, _ host: DecoderHost?
    ) -> Media? {
        let key = Key(path, limits, host)
        // Others who wait for it open it anew.
        defer { state.broadcast() }
        return state.wait { state -> Media?? in
            guard state.key == key else {
                state = State()
                return .some(nil)
            }
            if state.isOpening { return nil }
            defer { state = State() }
            return .some(state.media)
        }
    }
}
