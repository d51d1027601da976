internal import LazyBase

/// A complete cached response.
struct CachedResponse: Sendable {
    let key: String
    var record: CacheRecord
    var response: StoredResponse
    let body: Blob

    init?(_ entry: StoredEntry, _ record: CacheRecord) {
        guard let response = record.response else { return nil }
        self.record = record
        self.response = response
        (key, body) = (entry.key, entry.body)
    }
}

/// A partial download, held exclusively.
struct PartialResponse: Sendable {
    let writer: any EntryWriting
    let record: CacheRecord
    let response: StoredResponse
    let isVolatile: Bool
}

/// Responses in a store of entries.
///
/// Errors of the store count as missing entries.
struct ResponseStore: Sendable {
    let store: any EntryStoring
    /// Whether it keeps only partial downloads, in memory.
    let isVolatile: Bool

    init(_ store: any EntryStoring) {
        self.store = store
        isVolatile = store is PartialMemory
    }

    /// The complete responses that may match a request.
    func responses(to request: LoadRequest) async -> [CachedResponse] {
        await BlockingPool.disk.run { storedResponses(to: request) }
    }

    /// The same, on the caller's thread.
    func storedResponses(to request: LoadRequest) -> [CachedResponse] {
        let key = CacheKey.of(request)
        guard let (entry, record) = entry(of: key) else { return [] }
        let variants = record.variants.compactMap { names in
            self.entry(of: CacheKey.variant(of: key, names, request.storedHeaders))
        }
        return ([(entry, record)] + variants).compactMap(CachedResponse.init)
    }

    /// Takes a partial download.
    func takePartial(for request: LoadRequest) async -> PartialResponse? {
        await BlockingPool.disk.run {
            for key in keys(for: request) {
                guard let writer = try? store.suspendedWriter(for: key) else { continue }
                guard let record = CacheRecord(metadata: writer.metadata),
                    let response = record.response
                else { continue }
                return PartialResponse(
                    writer: writer, record: record, response: response, isVolatile: isVolatile)
            }
            return nil
        }
    }

    /// Begins to store a response.
    func makeWriter(
        for request: LoadRequest, _ response: StoredResponse
    ) async -> (any EntryWriting)? {
        await BlockingPool.disk.run {
            try? store.makeWriter(
                for: newKey(for: request, response), metadata: metadata(of: response, to: request))
        }
    }

    /// Opens a sparse response of known size.
    func part(for request: LoadRequest) async -> Part? {
        await BlockingPool.disk.run { presentPart(for: request) }
    }

    /// Opens or begins a sparse response; discards one of another version.
    func part(for request: LoadRequest, of response: StoredResponse) async -> Part? {
        await BlockingPool.disk.run {
            if var part = presentPart(for: request) {
                if part.isSameVersion(as: response) {
                    part.response = response
                    return part
                }
                part.entry.discard()
            }
            guard let count = response.wholeCount else { return nil }
            let entry = try? store.makeFilling(
                for: newKey(for: request, response),
                metadata: metadata(of: response, to: request), count: count)
            return entry.flatMap(Part.init)
        }
    }

    private func presentPart(for request: LoadRequest) -> Part? {
        for key in keys(for: request) {
            guard let entry = try? store.filling(for: key, count: Part.wholeCount) else {
                continue
            }
            if let part = Part(entry), part.fits(request) { return part }
            entry.close()
        }
        return nil
    }

    private func newKey(for request: LoadRequest, _ response: StoredResponse) -> String {
        let key = CacheKey.of(request)
        let names = Vary(response.headers).names
        if names.isEmpty { return key }
        list(names, under: key)
        return CacheKey.variant(of: key, names, request.storedHeaders)
    }

    private func metadata(of response: StoredResponse, to request: LoadRequest) -> [UInt8] {
        CacheRecord(
            response: response, identifiers: [request.identifier].compactMap { $0 }
        ).metadata
    }

    /// Replaces the metadata of a response.
    func update(_ cached: CachedResponse) async {
        var record = cached.record
        record.response = cached.response
        await set(record, of: cached)
    }

    /// Adds the identifier of a request to a response.
    func note(_ identifier: String?, _ cached: CachedResponse) async {
        var record = cached.record
        if record.note(identifier) { await set(record, of: cached) }
    }

    private func set(_ record: CacheRecord, of cached: CachedResponse) async {
        let metadata = record.metadata
        await BlockingPool.disk.run { _ = try? store.setMetadata(metadata, for: cached.key) }
    }

    /// Removes a response.
    func remove(_ cached: CachedResponse) async {
        await BlockingPool.disk.run { try? store.remove(cached.key) }
    }

    private func keys(for request: LoadRequest) -> [String] {
        let key = CacheKey.of(request)
        let variants = entry(of: key)?.record.variants ?? []
        return [key] + variants.map { CacheKey.variant(of: key, $0, request.storedHeaders) }
    }

    private func entry(of key: String) -> (entry: StoredEntry, record: CacheRecord)? {
        guard let entry = try? store.entry(for: key),
            let record = CacheRecord(metadata: entry.metadata)
        else { return nil }
        return (entry, record)
    }

    // The entry of the URL itself lists the fields of variants, the latest first.
    private func list(_ names: [String], under key: String) {
        let old = entry(of: key)?.record
        var record = old ?? CacheRecord(response: nil)
        guard record.variants.first != names else { return }
        record.variants.removeAll { $0 == names }
        record.variants = [names] + record.variants.prefix(7)
        let isThere = old != nil && (try? store.setMetadata(record.metadata, for: key)) == true
        if !isThere { try? store.store(Blob([]), metadata: record.metadata, for: key) }
    }
}
