internal import LazyLoading
internal import LazyRenditions

/// Results of a store that is far away, which a cache on the disk of this machine keeps as well.
///
/// The far store decides which of two results under a key stays; a result that it did not take is not kept here either,
/// so that machines that share it send the same bytes. What another machine removes there stays here until it is
/// removed here: its source has another version by then, as a rule, which is a part of the key.
struct NearResults: Rendition.Storing {
    let near: DataCacheResults
    let far: any Rendition.Storing

    func result(
        for key: Rendition.Key, range: Range<Int>?
    ) async throws(LoadingError) -> Rendition.Stored? {
        if let result = await near.result(for: key, range: range) { return result }
        guard let result = try await far.result(for: key, range: range) else { return nil }
        // A part is not the whole.
        guard range == nil else { return result }
        return try await near.putIfAbsent(result, for: key)
    }

    func putIfAbsent(
        _ result: Rendition.Stored, for key: Rendition.Key
    ) async throws(LoadingError) -> Rendition.Stored {
        let winner = try await far.putIfAbsent(result, for: key)
        return try await near.putIfAbsent(winner, for: key)
    }

    func remove(source: String) async -> RemovedEntries {
        await far.remove(source: source) + near.remove(source: source)
    }
}
