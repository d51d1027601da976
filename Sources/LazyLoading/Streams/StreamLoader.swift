package import FoundationEssentials
internal import LazyBase

/// Loads the playlists, keys and segments of a stream, each where the base of the stream lets it.
package final class StreamLoader: Sendable {
    private let loader: any DataLoading
    /// The request of the playlist, from which all others are made.
    private let request: LoadRequest
    private let base: StreamBase
    /// The most bytes of segments, if that is limited.
    private let maximumBytes: Int?
    private let counts = Locked((all: 0, network: 0))
    private let keys = Locked<[URL: [UInt8]]>([:])

    /// So many variants are asked for whose playlists are missing.
    private static let maxAttempts = 4

    /// The size that a playlist, and one that a segment may have.
    package static let maxPlaylist = 16 << 20, maxSegment = 256 << 20

    /// Makes a loader of what a playlist names, by the request of the playlist and where it came from.
    ///
    /// Header fields go to the origin of the request alone. `maximumBytes` is the most bytes of segments, nil for no
    /// limit.
    package init(
        _ loader: any DataLoading, _ request: LoadRequest, _ base: StreamBase, maximumBytes: Int?
    ) {
        var request = request
        (request.range, request.identifier, request.maximumBytes) = (nil, nil, nil)
        self.loader = loader
        self.request = request
        self.base = base
        self.maximumBytes = maximumBytes
    }

    /// The number of bytes received from the network.
    package var bytesRead: Int { counts.withLock { $0.network } }

    /// The segments of the rendition for pictures of a size, by the bytes of a playlist.
    ///
    /// Of a live stream the newest segment.
    package func playlist(
        _ kind: StreamKind, _ bytes: [UInt8], for isEnough: StreamVariant.SizeTest?,
        now: Date = .now
    ) async throws(StreamError) -> StreamPlaylist {
        let variants: [StreamVariant]
        var variables = HLSVariables()
        switch kind {
        case .hls:
            switch try HLSPlaylist(bytes, base) {
            case .segments(let playlist): return try Self.checked(playlist)
            case .variants(let found, let defined): (variants, variables) = (found, defined)
            }
        case .dash: variants = try DASHManifest(bytes, base, now: now).variants
        }
        var failure = StreamError.malformed("The playlist has no variant.")
        var isFirst = true
        for variant in StreamVariant.ordered(variants, for: isEnough).prefix(Self.maxAttempts) {
            do throws(StreamError) {
                return try await segments(of: variant, variables)
            } catch {
                // Another variant is better than none.
                guard case .loading(let reason) = error, reason.isMissing else { throw error }
                if isFirst { (failure, isFirst) = (error, false) }
            }
        }
        throw failure
    }

    private func segments(
        of variant: StreamVariant, _ variables: HLSVariables
    ) async throws(StreamError) -> StreamPlaylist {
        switch variant.source {
        case .segments(let playlist): return try Self.checked(playlist)
        case .playlist(let url): return try Self.checked(try await self.playlist(url, variables))
        case .protected(let name): throw Self.protected(name)
        case .index(let index, let map):
            let bytes = try await load(index, most: Self.maxPlaylist).bytes
            return try SegmentIndex.playlist(bytes, of: index, map: map)
        }
    }

    private func playlist(
        _ url: URL, _ variables: HLSVariables
    ) async throws(StreamError) -> StreamPlaylist {
        let (bytes, final) = try await load(StreamResource(url: url), most: Self.maxPlaylist)
        guard StreamKind(head: Array(bytes.prefix(StreamKind.headSize))) == .hls else {
            throw .malformed("\(url.shortLabel) is no HLS playlist, though another one says so.")
        }
        switch try HLSPlaylist(bytes, base.moved(to: final), importing: variables) {
        case .segments(let playlist): return playlist
        case .variants:
            throw .malformed("\(url.shortLabel) names variants and is a variant itself.")
        }
    }

    // A stream whose first segment is clear may still show something.
    private static func checked(_ playlist: StreamPlaylist) throws(StreamError) -> StreamPlaylist {
        let playlist = playlist.playable()
        if case .protected(let name)? = playlist.segments.first?.key { throw protected(name) }
        return playlist
    }

    private static func protected(_ name: String) -> StreamError {
        .encrypted("The stream is encrypted (\(name)), and its key is not loaded from an address.")
    }

    // MARK: - Segments

    /// The bytes of a segment or a map, decrypted.
    func bytes(
        _ resource: StreamResource, _ key: StreamKey?
    ) async throws(StreamError) -> [UInt8] {
        if case .protected(let name)? = key { throw Self.protected(name) }
        let left = maximumBytes.map { max(0, $0 - counts.withLock { $0.all }) } ?? .max
        let bytes: [UInt8]
        do throws(StreamError) {
            bytes = try await load(resource, most: min(Self.maxSegment, left)).bytes
        } catch .loading(let error) where error.code == .tooLarge && left < Self.maxSegment {
            throw .loading(
                LoadingError(
                    .tooLarge,
                    "The segments of the stream are larger than \(maximumBytes ?? 0) bytes."))
        }
        counts.withLock { $0.all += bytes.count }
        guard case .aes128(let url, let vector)? = key else { return bytes }
        return try StreamCipher.decrypted(
            bytes, key: try await loadKey(url), vector: vector, of: resource.url.shortLabel)
    }

    private func loadKey(_ url: URL) async throws(StreamError) -> [UInt8] {
        if let key = keys.withLock({ $0[url] }) { return key }
        let key: [UInt8]
        do throws(StreamError) {
            key = try await load(StreamResource(url: url), most: 4096).bytes
        } catch .loading(let error) where error.code != .cancelled && !error.isTransient {
            throw .encrypted(
                "The stream is encrypted, and its key cannot be loaded: \(error.message)")
        }
        guard key.count == 16 else {
            throw .encrypted(
                "The stream is encrypted, and \(url.shortLabel) is no key: it has \(key.count) bytes."
            )
        }
        keys.withLock { $0[url] = key }
        return key
    }

    // MARK: - Requests

    /// The bytes of a resource, and the address that they came from.
    private func load(
        _ resource: StreamResource, most: Int
    ) async throws(StreamError) -> (bytes: [UInt8], url: URL) {
        let base = base
        try await BlockingPool.disk.run { () throws(StreamError) in try base.check(resource.url) }
        var request = request.moved(to: resource.url)
        request.trustedHost = base.trustedHost
        request.range = resource.range.map { .bytes($0) }
        // A server that sends all of it is read up to the range.
        if resource.range == nil { request.maximumBytes = most }
        if let count = resource.range?.count, count > most {
            throw .loading(
                LoadingError(.tooLarge, "\(resource.url.shortLabel) is larger than \(most) bytes."))
        }
        do throws(LoadingError) {
            let response = try await loader.load(request)
            let bytes = try await Self.bytes(of: response, resource)
            if [.network, .resumed].contains(response.head.origin) {
                counts.withLock { $0.network += bytes.count }
            }
            return (bytes, response.head.url)
        } catch {
            guard resource.range != nil, error.status == 416 else { throw .loading(error) }
            throw .malformed(
                "\(resource.url.shortLabel) has fewer bytes than the playlist names.")
        }
    }

    private static func bytes(
        of response: LoadResponse, _ resource: StreamResource
    ) async throws(LoadingError) -> [UInt8] {
        guard let range = resource.range else { return try await response.body.collect() }
        var skipped = range.lowerBound
        if response.head.status == 206 {
            guard response.head.contentRange?.range.lowerBound == range.lowerBound else {
                throw LoadingError(
                    .malformed, "The server responded with another range than the requested one.",
                    status: 206)
            }
            skipped = 0
        }
        var bytes: [UInt8] = []
        while bytes.count < range.count, let piece = try await response.body.next() {
            let dropped = min(skipped, piece.count)
            skipped -= dropped
            bytes += piece.dropFirst(dropped).prefix(range.count - bytes.count)
        }
        guard bytes.count == range.count else {
            throw LoadingError(
                .truncated,
                "\(resource.url.shortLabel) has \(bytes.count) of \(range.count) bytes that the playlist names."
            )
        }
        return bytes
    }
}
