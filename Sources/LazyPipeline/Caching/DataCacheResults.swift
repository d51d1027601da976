internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyRenditions

/// Results in a data cache, whose entries have metadata: the digest, the type and the report.
///
/// Reads and writes on the pool for disks. A data cache has no call that stores only what is absent, so that this
/// process does one after the other; of several processes that share a folder the last one stays.
struct DataCacheResults: Rendition.Storing {
    let cache: any DataCaching
    private static let mutex = AsyncMutex()

    func result(for key: Rendition.Key, range: Range<Int>?) async -> Rendition.Stored? {
        let text = key.text
        return await BlockingPool.disk.run { Self.read(text, from: cache)?.cut(to: range) }
    }

    func putIfAbsent(
        _ result: Rendition.Stored, for key: Rendition.Key
    ) async throws(LoadingError) -> Rendition.Stored {
        let lock: AsyncMutex.Lock
        do throws(MediaError) { lock = try await Self.mutex.lock() } catch { throw .cancelled }
        defer { lock.unlock() }
        let text = key.text
        return await BlockingPool.disk.run {
            if let present = Self.read(text, from: cache) { return present }
            cache.storeData(result.body, metadata: Self.metadata(of: result), for: text)
            return result
        }
    }

    func remove(source: String) async -> RemovedEntries {
        await BlockingPool.disk.run { cache.removeVariants(of: source) }
    }

    private static func read(_ text: String, from cache: any DataCaching) -> Rendition.Stored? {
        guard let entry = cache.cachedEntry(for: text), entry.data.count > 0 else { return nil }
        return result(entry)
    }

    // MARK: - Metadata: a word, then one fact a line, the report last

    private static let word = "rendition"

    static func metadata(of result: Rendition.Stored) -> [UInt8] {
        let type = result.type
        return Array(
            [word, result.digest, type.name, type.mimeType, type.family.rawValue, result.report]
                .joined(separator: "\n").utf8)
    }

    static func result(_ entry: CachedData) -> Rendition.Stored? {
        let text = String(decoding: entry.metadata, as: UTF8.self)
        let lines = text.split(separator: "\n", maxSplits: 5, omittingEmptySubsequences: false)
            .map { String($0) }
        guard lines.count == 6, lines[0] == word, let family = MediaType.Family(rawValue: lines[4])
        else { return nil }
        return Rendition.Stored(
            body: entry.data, byteCount: entry.data.count,
            type: MediaType(name: lines[2], mimeType: lines[3], family: family),
            digest: lines[1], report: lines[5])
    }
}
