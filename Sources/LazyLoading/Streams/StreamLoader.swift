package import FoundationEssentials
package import LazyBase

/// Loads the playlists, keys and segments of a stream, each where the base of the stream lets it.
package final class StreamLoader: Sendable {
    let loader: any DataLoading
    /// The request of the playlist, from which all others are made.
    let request: LoadRequest
    private let base: StreamBase
    /// The most bytes that are received, if that is limited.
    let maximumBytes: Int?
    private let limits: StreamLimits
    private let spent = Locked(StreamCost())
    let counts = Locked((all: 0, network: 0))
    /// The key that was loaded last.
    let lastKey = Locked<(url: URL, bytes: [UInt8])?>(nil)

    /// So many variants are asked for whose playlists are missing.
    private static let maxAttempts = 4

    /// The size that a playlist, and one that a segment may have.
    package static let maxPlaylist = 16 << 20, maxSegment = 256 << 20

    /// Makes a loader of what a playlist names, by the request of the playlist and where it came from.
    ///
    /// Header fields go to the origin of the request alone. `maximumBytes` is the most bytes that are received, nil for
    /// no limit.
    package init(
        _ loader: any DataLoading, _ request: LoadRequest, _ base: StreamBase,
        _ limits: StreamLimits, maximumBytes: Int?
    ) {
        var request = request
        (request.range, request.identifier, request.maximumBytes) = (nil, nil, nil)
        self.loader = loader
        self.request = request
        self.base = base
        self.limits = limits
        self.maximumBytes = maximumBytes
    }

    /// The number of bytes received from the network.
    package var bytesRead: Int { counts.withLock { $0.network } }

    /// What reading the playlists has cost.
    package var cost: StreamCost { spent.withLock { $0 } }

    /// The segments of the rendition for pictures of a size, by the bytes of a playlist.
    ///
    /// Of a live stream the newest segment. The flag ends it, also in between.
    package func playlist(
        _ kind: StreamKind, _ bytes: [UInt8], for isEnough: StreamVariant.SizeTest?,
        now: Date = .now, _ flag: CancellationFlag = CancellationFlag()
    ) async throws(StreamError) -> StreamPlaylist {
        switch kind {
        case .hls:
            let base = base
            switch try await reading(
                flag,
                { budget throws(StreamError) in
                    try HLSPlaylist(bytes, base, budget)
                })
            {
            case .segments(let playlist): return try Self.checked(playlist)
            case .variants(let master):
                return try await first(of: master.variants, for: isEnough) {
                    variant throws(StreamError) in try await segments(of: variant, master, flag)
                }
            }
        case .dash:
            let base = base
            let manifest = try await reading(flag) { budget throws(StreamError) in
                try DASHManifest(bytes, base, now: now, budget)
            }
            return try await first(of: manifest.variants, for: isEnough) {
                variant throws(StreamError) in try await segments(of: variant, manifest, flag)
            }
        }
    }

    /// What is made of the best variant that is there, of the first few.
    private func first(
        of variants: [StreamVariant], for isEnough: StreamVariant.SizeTest?,
        _ make: (StreamVariant) async throws(StreamError) -> StreamPlaylist?
    ) async throws(StreamError) -> StreamPlaylist {
        var failure = StreamError.unsupported(
            "The DASH manifest has periods of several files, which are not joined.")
        var attempts = 0
        for variant in StreamVariant.ordered(variants, for: isEnough) {
            do throws(StreamError) {
                if let playlist = try await make(variant) { return playlist }
            } catch {
                // Another variant is better than none.
                guard case .loading(let reason) = error, reason.isMissing else { throw error }
                if attempts == 0 { failure = error }
                attempts += 1
                if attempts == Self.maxAttempts { break }
            }
        }
        throw failure
    }

    private func segments(
        of variant: StreamVariant, _ manifest: DASHManifest, _ flag: CancellationFlag
    ) async throws(StreamError) -> StreamPlaylist? {
        let source = try await reading(flag) { budget throws(StreamError) in
            try manifest.source(of: variant, budget)
        }
        switch source {
        case nil: return nil
        case .segments(let playlist)?: return try Self.checked(playlist)
        case .protected(let name)?: throw Self.protected(name)
        case .index(let index, let map, let base)?:
            let bytes = try await load(index, most: Self.maxPlaylist, from: base).bytes
            return try await reading(flag) { budget throws(StreamError) in
                try SegmentIndex.playlist(bytes, of: index, map: map, base, budget)
            }
        }
    }

    private func segments(
        of variant: StreamVariant, _ master: HLSVariants, _ flag: CancellationFlag
    ) async throws(StreamError) -> StreamPlaylist {
        let url = try master.address(of: variant)
        let loaded = try await load(
            StreamResource(url: url), most: Self.maxPlaylist, from: master.names.base)
        let bytes = loaded.bytes
        guard StreamKind(head: Array(bytes.prefix(StreamKind.headSize))) == .hls else {
            throw .malformed("\(url.shortLabel) is no HLS playlist, though another one says so.")
        }
        let base = master.names.base.followed(
            to: loaded.head.url, isPrivate: loaded.head.isPrivate)
        let playlist = try await reading(flag) { budget throws(StreamError) in
            try HLSPlaylist(bytes, base, importing: master.names.variables, budget)
        }
        switch playlist {
        case .segments(let playlist): return try Self.checked(playlist)
        case .variants:
            throw .malformed("\(url.shortLabel) names variants and is a variant itself.")
        }
    }

    /// Reads a playlist on a thread that may be used for long, within what is left of the limits.
    private func reading<Value: Sendable>(
        _ flag: CancellationFlag,
        _ body: @escaping @Sendable (StreamBudget) throws(StreamError) -> Value
    ) async throws(StreamError) -> Value {
        let (limits, before) = (limits, cost)
        let result = await BlockingPool.shared.run {
            let budget = StreamBudget(limits, after: before, flag)
            let result: Result<Value, StreamError>
            do throws(StreamError) {
                try budget.look()
                result = .success(try body(budget))
            } catch {
                result = .failure(error)
            }
            return (result, budget.cost)
        }
        spent.withLock { $0 = result.1 }
        return try result.0.get()
    }

    // A stream whose first segment is clear may still show something.
    private static func checked(_ playlist: StreamPlaylist) throws(StreamError) -> StreamPlaylist {
        let playlist = playlist.playable()
        if let name = playlist.protection { throw protected(name) }
        return playlist
    }

    static func protected(_ name: String) -> StreamError {
        .encrypted("The stream is encrypted (\(name)), and its key is not loaded from an address.")
    }
}
