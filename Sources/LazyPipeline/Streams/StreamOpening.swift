package import FoundationEssentials
internal import LazyBase
package import LazyLoading
package import LazyMedia

/// Where a playlist came from.
package struct StreamPlace: Sendable {
    let url: URL
    /// Whether that is in a private network, in which it may name addresses of its own host.
    let isPrivate: Bool

    package init(_ url: URL, isPrivate: Bool) {
        (self.url, self.isPrivate) = (url, isPrivate)
    }
}

/// A stream whose playlist is read: what is opened in place of the playlist's bytes.
package struct StreamOpening: Sendable {
    let kind: StreamKind
    let segments: StreamSegments

    /// Reads the playlists of a stream; loads no segment.
    ///
    /// `playlist` is the first one, which came from `url` if it has an address. `size` is that of the wanted
    /// pictures, which chooses the variant, nil for the largest; `maximumBytes` the most bytes that are received, nil
    /// for no limit. Throws what is wrong in the playlists, `.encrypted`, and what loading them throws.
    package init(
        _ kind: StreamKind, _ playlist: [UInt8], _ request: LoadRequest, at place: StreamPlace?,
        size: TargetSize?, loader: any DataLoading, limits: DecodingLimits, maximumBytes: Int?,
        _ flag: CancellationFlag
    ) async throws(MediaError) {
        let base = await BlockingPool.disk.run {
            StreamBase(
                place?.url, namedAs: place == nil ? nil : request.url,
                isPrivate: place?.isPrivate ?? false)
        }
        let loader = StreamLoader(
            loader, request, base, StreamLimits(memory: limits.memory, time: limits.openTime),
            maximumBytes: maximumBytes)
        do throws(StreamError) {
            let list = try await loader.playlist(kind, playlist, for: size?.variantTest, flag)
            segments = StreamSegments(list, loader)
        } catch {
            throw error.asMediaError(limits)
        }
        self.kind = kind
    }

    /// Opens the stream by the header of one segment; blocks while that is loaded.
    ///
    /// With a choice of a poster that is the segment which shows it, as far as the playlist tells; else the first.
    package func open(
        _ decoders: DecoderRegistry, _ limits: DecodingLimits, for poster: PosterChoice? = nil,
        _ flag: CancellationFlag
    ) throws(MediaError) -> any OpenedMedia {
        let playlist = segments.playlist
        let time: Duration =
            switch poster {
            case .at(let time): time
            case .percent(let share): playlist.duration * (min(max(share, 0), 100) / 100)
            case .auto: PosterChoice.firstTime(of: playlist.duration)
            case .within(let part): PosterChoice.firstTime(of: playlist.duration, within: part)
            case .index(let number) where number < 0: playlist.duration
            case nil, .first, .index, .chapter, .embedded: .zero
            }
        let parts = StreamParts(segments, decoders, limits, after: segments.cost)
        let isForTime = if case .at? = poster { true } else { false }
        return try StreamMedia(
            kind, parts, at: playlist.segment(at: time), isForTime: isForTime, flag)
    }

    /// Whether all segments are files of this machine.
    package var isLocal: Bool { segments.playlist.isLocal }

    /// The number of bytes of segments that the network has sent so far.
    package var bytesRead: Int { segments.bytesRead }
}

extension StreamKind {
    /// The kind of a source by its first bytes; nil for anything but playlists.
    ///
    /// Blocks while they are read.
    package init?(_ bytes: any ByteSource) throws(MediaError) {
        let head = try bytes.bytes(min(bytes.count, Self.headSize), at: 0)
        self.init(head: head)
    }

    /// The type of its media.
    var type: MediaType {
        switch self {
        case .hls: .hls
        case .dash: .dash
        }
    }
}

extension StreamError {
    /// The error of media whose segments cannot be read, or whose playlists exceed limits.
    func asMediaError(_ limits: DecodingLimits) -> MediaError {
        switch self {
        case .tooLarge(let bytes):
            limits.excess { (limits) throws(MediaError) in try limits.check(memory: bytes) }
        case .tooSlow(let time):
            limits.excess { (limits) throws(MediaError) in
                try limits.check(time: time, most: limits.openTime, .openTime, "Opening")
            }
        case .malformed(let message): MediaError(.malformed, message)
        case .unsupported(let message): MediaError(.unsupported, message)
        case .encrypted(let message): MediaError(.encrypted, message)
        // What a playlist names is no mistake of the user.
        case .loading(let error) where error.code == .badAddress:
            MediaError(.malformed, "The playlist names what may not be loaded: \(error.message)")
        case .loading(let error): error.asMediaError
        }
    }
}

extension DecodingLimits {
    /// The error of a check that fails.
    fileprivate func excess(_ check: (Self) throws(MediaError) -> Void) -> MediaError {
        do throws(MediaError) { try check(self) } catch { return error }
        return MediaError(.limitExceeded, "Reading the playlist exceeds its limits.")
    }
}

extension TargetSize {
    /// Whether a variant need not be enlarged for this size.
    fileprivate var variantTest: StreamVariant.SizeTest {
        var target = self
        if fit == .scaleDown { target.fit = .contain }
        return { [target] size in
            guard let size = PixelSize(checking: size.width, size.height) else { return false }
            let scaled = target.scaledSize(of: size)
            return scaled.width <= size.width && scaled.height <= size.height
        }
    }
}

extension FrameSequence {
    /// The same for a use that needs some of its frames: of a long stream from a network only the segments with
    /// those frames are loaded, and times between its segments are estimated.
    func samplingStreams(_ flag: CancellationFlag) async throws(MediaError) -> FrameSequence {
        guard let stream = media as? StreamMedia else { return self }
        let (limits, delayRule) = (limits, delayRule)
        return try await BlockingPool.shared.run { () throws(MediaError) in
            FrameSequence(try stream.sampled(flag), limits: limits, delayRule: delayRule)
        }
    }

    /// The number of bytes of segments that the network has sent so far; nil for what is no stream.
    var streamedBytes: (@Sendable () -> Int)? {
        guard let stream = media as? StreamMedia else { return nil }
        return { stream.bytesRead }
    }
}
