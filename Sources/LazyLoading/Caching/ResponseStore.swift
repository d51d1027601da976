internal import LazyBytes
internal import LazyCache

/// An answer that is stored whole.
struct StoredAnswer: Sendable {
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

/// An answer that is stored in part, held by us alone.
struct PartialAnswer: Sendable {
    let writer: any EntryWriting
    let record: CacheRecord
    let response: StoredResponse
    let isVolatile: Bool
}

/// Answers in a store of entries.
///
/// What the store cannot do counts as not being there.
struct ResponseStore: Sendable {
    let store: any EntryStoring
    /// Whether it keeps what it has in memory, a part of each answer at most.
    let isVolatile: Bool

    init(_ store: any EntryStoring) {
        self.store = store
        isVolatile = store is PartialMemory
    }

    /// The whole answers that may fit a request.
    func answers(to request: LoadRequest) async -> [StoredAnswer] {
        await BlockingPool.disk.run { storedAnswers(to: request) }
    }

    /// The same, on the caller's thread.
    func storedAnswers(to request: LoadRequest) -> [StoredAnswer] {
        let key = CachingLoader.key(for: request)
        guard let (entry, record) = entry(of: key) else { return [] }
        let variants = record.variants.compactMap { names in
            self.entry(of: variantKey(key, names, request.storedHeaders))
        }
        return ([(entry, record)] + variants).compactMap(StoredAnswer.init)
    }

    /// Takes up what an interrupted load has left.
    func takePartial(for request: LoadRequest) async -> PartialAnswer? {
        await BlockingPool.disk.run {
            for key in keys(for: request) {
                guard let writer = try? store.suspendedWriter(for: key) else { continue }
                guard let record = CacheRecord(metadata: writer.metadata),
                    let response = record.response
                else { continue }
                return PartialAnswer(
                    writer: writer, record: record, response: response, isVolatile: isVolatile)
            }
            return nil
        }
    }

    /// Begins to store an answer to a request.
    func makeWriter(
        for request: LoadRequest, _ response: StoredResponse
    ) async -> (any EntryWriting)? {
        await BlockingPool.disk.run {
            try? store.makeWriter(
                for: newKey(for: request, response), metadata: metadata(of: response, to: request))
        }
    }

    /// Opens what is there of an answer of known size of which bytes are missing.
    func part(for request: LoadRequest) async -> Part? {
        await BlockingPool.disk.run { presentPart(for: request) }
    }

    /// Opens what is there of an answer, or begins it; of another version nothing stays.
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
        let key = CachingLoader.key(for: request)
        let names = Vary(response.headers).names
        if names.isEmpty { return key }
        list(names, under: key)
        return variantKey(key, names, request.storedHeaders)
    }

    private func metadata(of response: StoredResponse, to request: LoadRequest) -> [UInt8] {
        CacheRecord(
            response: response, identifiers: [request.identifier].compactMap { $0 }
        ).metadata
    }

    /// Puts other metadata in the place of an answer's.
    func update(_ answer: StoredAnswer) async {
        var record = answer.record
        record.response = answer.response
        let metadata = record.metadata
        await BlockingPool.disk.run { _ = try? store.setMetadata(metadata, for: answer.key) }
    }

    /// Notes the name that somebody knows an answer by, once.
    func note(_ identifier: String?, _ answer: StoredAnswer) async {
        var record = answer.record
        guard record.note(identifier) else { return }
        let metadata = record.metadata
        await BlockingPool.disk.run { _ = try? store.setMetadata(metadata, for: answer.key) }
    }

    /// Removes an answer that cannot be read.
    func remove(_ answer: StoredAnswer) async {
        await BlockingPool.disk.run { try? store.remove(answer.key) }
    }

    private func keys(for request: LoadRequest) -> [String] {
        let key = CachingLoader.key(for: request)
        let variants = entry(of: key)?.record.variants ?? []
        return [key] + variants.map { variantKey(key, $0, request.storedHeaders) }
    }

    private func entry(of key: String) -> (entry: StoredEntry, record: CacheRecord)? {
        guard let entry = try? store.entry(for: key),
            let record = CacheRecord(metadata: entry.metadata)
        else { return nil }
        return (entry, record)
    }

    // The address's own entry tells by which fields there are variants, the latest first.
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
