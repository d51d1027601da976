internal import FoundationEssentials
internal import LazyBase

// What a stream consists of: segments, maps and keys, and the playlists of variants.
extension StreamLoader {
    /// The bytes of a segment or a map, decrypted; `base` is that of the playlist which names it.
    func bytes(
        _ resource: StreamResource, _ key: StreamKey?, from base: StreamBase
    ) async throws(StreamError) -> [UInt8] {
        if case .protected(let name)? = key { throw Self.protected(name) }
        let bytes = try await load(resource, most: Self.maxSegment, from: base).bytes
        guard case .aes128(let url, let vector)? = key else { return bytes }
        return try StreamCipher.decrypted(
            bytes, key: try await loadKey(url, from: base), vector: vector,
            of: resource.url.shortLabel)
    }

    private func loadKey(
        _ url: URL, from base: StreamBase
    ) async throws(StreamError) -> [UInt8] {
        if let last = lastKey.withLock({ $0 }), last.url == url { return last.bytes }
        let key: [UInt8]
        do throws(StreamError) {
            key = try await load(StreamResource(url: url), most: 4096, from: base).bytes
        } catch .loading(let error) where error.code != .cancelled && !error.isTransient {
            throw .encrypted(
                "The stream is encrypted, and its key cannot be loaded: \(error.message)")
        }
        guard key.count == 16 else {
            throw .encrypted(
                "The stream is encrypted, and \(url.shortLabel) is no key: it has \(key.count) bytes."
            )
        }
        lastKey.withLock { $0 = (url, key) }
        return key
    }

    // MARK: - Requests

    /// The bytes of a resource, at most so many, and the head of the response.
    ///
    /// Both what one resource and what all of them may take is limited by what is received, of which a range may be the
    /// least part: a server that knows no ranges sends what is before it, too. Files take what they take.
    func load(
        _ resource: StreamResource, most: Int, from base: StreamBase
    ) async throws(StreamError) -> (bytes: [UInt8], head: ResponseHead) {
        let received = counts.withLock { $0.all }
        let left = resource.url.isFile ? .max : maximumBytes.map { max(0, $0 - received) } ?? .max
        guard resource.range?.count ?? 0 <= min(most, left) else {
            throw .loading(tooLarge(resource, most, left))
        }
        do throws(StreamError) {
            let response = try await respond(to: resource, min(most, left), from: base)
            return (try await collect(response, resource, most, left), response.head)
        } catch {
            guard case .loading(let reason) = error else { throw error }
            if reason.code == .tooLarge, left < most {
                throw .loading(tooLarge(resource, most, left))
            }
            guard resource.range != nil, reason.status == 416 else { throw error }
            throw .malformed(
                "\(resource.url.shortLabel) has fewer bytes than the playlist names.")
        }
    }

    private func respond(
        to resource: StreamResource, _ most: Int, from base: StreamBase
    ) async throws(StreamError) -> LoadResponse {
        var request = request.moved(to: resource.url)
        request.trustedHost = base.trustedHost
        request.range = resource.range.map { .bytes($0) }
        // A server that sends all of it is read up to the range.
        if resource.range == nil { request.maximumBytes = most }
        if resource.url.isFile {
            return try await BlockingPool.disk.run { [request] () throws(StreamError) in
                try base.response(to: request)
            }
        }
        do throws(LoadingError) {
            let response = try await loader.load(request)
            let host = response.head.url.host()?.lowercased()
            guard response.head.isPrivate, host != request.trustedHost else { return response }
            // A cache has it of a load that was allowed more.
            guard request.policy != .cacheOnly else {
                throw LoadingError(
                    .notCached, "\(resource.url.shortLabel) is cached from a private network only.")
            }
            request.policy = .reload
            return try await loader.load(request)
        } catch {
            throw .loading(error)
        }
    }

    private func collect(
        _ response: LoadResponse, _ resource: StreamResource, _ most: Int, _ left: Int
    ) async throws(StreamError) -> [UInt8] {
        let range = resource.range
        var skipped = range?.lowerBound ?? 0
        if let range, response.head.status == 206 {
            guard response.head.contentRange?.range.lowerBound == range.lowerBound else {
                throw .loading(
                    LoadingError(
                        .malformed,
                        "The server responded with another range than the requested one.",
                        status: 206))
            }
            skipped = 0
        }
        let wanted = range?.count ?? .max
        let isFromNetwork = [.network, .resumed].contains(response.head.origin)
        var bytes: [UInt8] = []
        var received = 0
        while bytes.count < wanted, let piece = try await response.body.nextPiece() {
            received += piece.count
            counts.withLock { counts in
                if !resource.url.isFile { counts.all += piece.count }
                if isFromNetwork { counts.network += piece.count }
            }
            guard received <= min(most, left) else {
                throw .loading(tooLarge(resource, most, left))
            }
            if bytes.isEmpty, skipped == 0, piece.count <= wanted {
                bytes = piece
                continue
            }
            let dropped = min(skipped, piece.count)
            skipped -= dropped
            bytes += piece.dropFirst(dropped).prefix(wanted - bytes.count)
        }
        guard range == nil || bytes.count == wanted else {
            throw .loading(
                LoadingError(
                    .truncated,
                    "\(resource.url.shortLabel) has \(bytes.count) of \(wanted) bytes that the playlist names."
                ))
        }
        return bytes
    }

    private func tooLarge(
        _ resource: StreamResource, _ most: Int, _ left: Int
    ) -> LoadingError {
        if left < most {
            return LoadingError(
                .tooLarge, "The segments of the stream are larger than \(maximumBytes ?? 0) bytes.")
        }
        guard let range = resource.range, range.count <= most else {
            return LoadingError(
                .tooLarge, "\(resource.url.shortLabel) is larger than \(most) bytes.")
        }
        return LoadingError(
            .tooLarge,
            "\(resource.url.shortLabel) is sent from its beginning, and a part of it begins behind \(most) bytes."
        )
    }
}

extension LoadBody {
    fileprivate func nextPiece() async throws(StreamError) -> [UInt8]? {
        do throws(LoadingError) { return try await next() } catch { throw .loading(error) }
    }
}

extension StreamBase {
    /// The response to a request for a file in the folder of the playlist; blocks.
    fileprivate func response(to request: LoadRequest) throws(StreamError) -> LoadResponse {
        guard let (file, status) = try open(request.url) else {
            throw .malformed("\(request.url.shortLabel) is no file.")
        }
        do throws(LoadingError) {
            return try LoadResponse(local: Blob(FileBlob(file, count: status.size)), for: request)
        } catch {
            throw .loading(error)
        }
    }
}
