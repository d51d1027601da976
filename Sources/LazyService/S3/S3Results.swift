internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions

/// Results in a bucket, which several servers share.
///
/// Objects are put if absent (`If-None-Match: *`), so that of two servers the first one's bytes stay. A bucket that fails
/// is left alone for a while, so that its time is not that of each request.
struct S3Results: Rendition.Storing {
    /// The most bytes of a result that is kept there: a request has all of them in memory.
    static let maxBytes = 256 << 20
    /// The bytes that have what is known of a result, as a rule.
    private static let beginning = 1 << 16

    private let client: S3Client
    private let bucket: String
    private let prefix: String
    private let health = StoreHealth()

    init(_ client: S3Client, bucket: String, prefix: String) {
        (self.client, self.bucket) = (client, bucket)
        let parts = prefix.split(separator: "/").joined(separator: "/")
        self.prefix = parts.isEmpty ? "" : parts + "/"
    }

    func result(
        for key: Rendition.Key, range: Range<Int>?
    ) async throws(LoadingError) -> Rendition.Stored? {
        let address = address(of: key)
        return try await health.watch { () async throws(LoadingError) -> Rendition.Stored? in
            guard range?.isEmpty == true else {
                guard var result = try await whole(address) else { return nil }
                if let range {
                    result.body = result.body.slice(range.clamped(to: 0..<result.byteCount))
                }
                return result
            }
            return try await known(address)
        }
    }

    func putIfAbsent(
        _ result: Rendition.Stored, for key: Rendition.Key
    ) async throws(LoadingError) -> Rendition.Stored {
        let address = address(of: key)
        guard result.byteCount <= Self.maxBytes else {
            throw LoadingError(.tooLarge, "The result is too large for the bucket.")
        }
        let bytes = try await Self.bytes(of: result)
        return try await health.watch { () async throws(LoadingError) -> Rendition.Stored in
            var tries = 3
            while true {
                tries -= 1
                do throws(LoadingError) {
                    try await put(bytes, at: address, ifAbsent: true)
                    return result
                } catch  where error.status == 412 {
                    if let present = try await whole(address) { return present }
                    // What is there is damaged, or has just been removed.
                    try await put(bytes, at: address, ifAbsent: false)
                    return result
                } catch  where error.status == 409 && tries > 0 {
                    // It is removed at this very moment.
                    continue
                }
            }
        }
    }

    func remove(source: String) async -> RemovedEntries {
        let folder = folder(of: source)
        let removed = try? await health.watch { () async throws(LoadingError) -> RemovedEntries in
            var removed = RemovedEntries()
            // What was listed is gone in the next list; the bound ends it where a bucket forgets nothing.
            for _ in 0..<1000 {
                let names = try await list(folder)
                if names.isEmpty { return removed }
                for name in names {
                    try await delete(S3Address(bucket: bucket, key: name.key))
                    removed.count += 1
                    removed.byteCount += name.size
                }
            }
            return .failed
        }
        return removed ?? .failed
    }

    // MARK: - Names

    /// The objects of a source share a folder.
    private func folder(of source: String) -> String {
        prefix + Digest.sha256(Array(source.utf8)).hex.prefix(32) + "/"
    }

    private func address(of key: Rendition.Key) -> S3Address {
        let name = Digest.sha256(Array(key.text.utf8)).hex
        return S3Address(bucket: bucket, key: folder(of: key.source) + name)
    }

    // MARK: - Requests

    private func request(_ address: S3Address, _ method: String = "GET") -> LoadRequest {
        // The name for messages; what it has is that of a URL.
        let url = URL(string: "s3://\(address.bucket)/\(address.key)")
        var request = LoadRequest(url: url ?? URL(filePath: "/"))
        request.method = method
        request.connectTimeout = .seconds(2)
        request.readTimeout = .seconds(10)
        request.totalTimeout = .seconds(60)
        return request
    }

    /// A result with all of its bytes; nil where there is none, or where it is damaged.
    private func whole(_ address: S3Address) async throws(LoadingError) -> Rendition.Stored? {
        let body: LoadBody
        do throws(LoadingError) {
            var request = request(address)
            request.maximumBytes = Self.maxBytes + 1 << 25
            body = try await client.send(request, to: address).body
        } catch  where error.isMissing { return nil }
        var spool = Spool()
        while let piece = try await body.next() {
            do throws(MediaError) {
                try piece.withBytes { bytes throws(MediaError) in try spool.append(bytes) }
            } catch {
                throw LoadingError(.environment, error.message, underlying: error)
            }
        }
        let blob = spool.takeBlob()
        return await BlockingPool.disk.run { Self.result(of: blob) }
    }

    /// Reads an object, and whether its bytes are those that were put there; blocks.
    static func result(of blob: Blob) -> Rendition.Stored? {
        guard let first = try? blob.bytes(at: 0, count: 2048),
            let count = StoredObject.headCount(first),
            let object = (try? blob.bytes(at: 0, count: count)).flatMap({ StoredObject($0) }),
            blob.count == object.start + object.byteCount
        else { return nil }
        let body = blob.slice(object.start..<blob.count)
        guard (try? RenditionTask.Tag.text(of: body)) == object.digest else { return nil }
        return stored(object, body)
    }

    /// What is known of a result, without its bytes.
    private func known(_ address: S3Address) async throws(LoadingError) -> Rendition.Stored? {
        var count = Self.beginning
        while true {
            do throws(LoadingError) {
                var request = request(address)
                request.range = .bytes(0..<count)
                let body = try await client.send(request, to: address).body
                let bytes = try await body.collect(atMost: Self.maxBytes)
                guard let wanted = StoredObject.headCount(bytes) else { return nil }
                if let object = StoredObject(bytes) { return Self.stored(object, Blob([])) }
                guard wanted > count else { return nil }
                count = wanted
            } catch  where error.isMissing { return nil }
        }
    }

    private static func stored(_ object: StoredObject, _ body: Blob) -> Rendition.Stored {
        Rendition.Stored(
            body: body, byteCount: object.byteCount, type: object.type, digest: object.digest,
            report: object.report)
    }

    private static func bytes(
        of result: Rendition.Stored
    ) async throws(LoadingError) -> [UInt8] {
        do throws(SystemError) {
            return try await BlockingPool.disk.run { () throws(SystemError) in
                try StoredObject.head(of: result) + result.body.bytes()
            }
        } catch {
            throw LoadingError(
                .environment, "What was made cannot be read: \(error).", underlying: error)
        }
    }

    private func put(
        _ bytes: [UInt8], at address: S3Address, ifAbsent: Bool
    ) async throws(LoadingError) {
        var request = request(address, "PUT")
        request.upload = bytes
        request.headers["Content-Type"] = "application/octet-stream"
        if ifAbsent { request.headers["If-None-Match"] = "*" }
        _ = try await client.send(request, to: address).body.collect(atMost: 1 << 20)
    }

    private func delete(_ address: S3Address) async throws(LoadingError) {
        _ = try await client.send(request(address, "DELETE"), to: address).body.collect(
            atMost: 1 << 20)
    }

    private func list(_ folder: String) async throws(LoadingError) -> [ListedObject] {
        let address = S3Address(bucket: bucket, key: "")
        let body = try await client.send(
            request(address), to: address, query: [("list-type", "2"), ("prefix", folder)]
        ).body
        return ListedObject.all(in: try await body.collect(atMost: 4 << 20), folder: folder)
    }
}

/// An object of a list.
struct ListedObject: Equatable {
    let key: String
    let size: Int

    /// The objects of a list in XML; names that are not ours are left out, and nothing else is read.
    static func all(in bytes: [UInt8], folder: String) -> [ListedObject] {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "<Contents>").dropFirst().compactMap { part in
            guard let key = value("Key", in: part), key.hasPrefix(folder) else { return nil }
            let name = key.dropFirst(folder.count)
            guard name.utf8.count == 64, name.utf8.allSatisfy({ $0.hexadecimalValue != nil })
            else { return nil }
            return ListedObject(
                key: String(key), size: max(0, value("Size", in: part).flatMap { Int($0) } ?? 0))
        }
    }

    private static func value(_ name: String, in text: Substring) -> Substring? {
        guard let start = text.firstRange(of: "<\(name)>")?.upperBound,
            let end = text[start...].firstIndex(of: "<")
        else { return nil }
        return text[start..<end]
    }
}
