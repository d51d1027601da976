internal import LazyBase
internal import LazyLoading
internal import LazyRenditions

/// Results in memory, limited by their bytes; knows until when their sources are fresh.
///
/// Of each source it has one version. Bytes that are in files stay there: those are kept by the next store only.
final class RenditionMemory: Rendition.Storing {
    /// Where a result is found before the version of its source is known.
    struct Place: Hashable {
        let image: ImageCacheKey
        let rendition: Rendition
        let part: Rendition.Part
    }

    /// A result, and its source.
    struct Entry {
        let result: Rendition.Stored
        let version: String
        /// What is known of the source's age.
        let freshness: SourceFreshness
        /// Lives for as long as the entry is kept.
        let presence = Presence()
    }

    /// Tells those who keep it weakly whether an entry is still the one that answers.
    final class Presence: Sendable {}

    private let results: MemoryCache<Place, Entry>
    private let pressure: ObservationToken

    init(limit: Int, lifetime: Duration?, clock: any SteadyClock) {
        let results = MemoryCache<Place, Entry>(
            limits: .init(cost: limit, timeToLive: lifetime), clock: clock)
        self.results = results
        pressure = MemoryPressure.shared.observe { level in
            switch level {
            case .warning: results.trim(toCost: results.totalCost / 2)
            case .critical: results.removeAll()
            }
        }
    }

    /// The result of a place, of whatever version.
    func entry(at place: Place) -> Entry? { results.value(for: place) }

    func result(for key: Rendition.Key, range: Range<Int>?) -> Rendition.Stored? {
        guard let entry = entry(at: key.place), entry.version == key.version else { return nil }
        return entry.result.cut(to: range)
    }

    func putIfAbsent(_ result: Rendition.Stored, for key: Rendition.Key) -> Rendition.Stored {
        if let present = self.result(for: key, range: nil) { return present }
        keep(result, for: key, .none)
        return result
    }

    /// Keeps a result of a store, or one whose source was asked for anew.
    func keep(
        _ result: Rendition.Stored, for key: Rendition.Key, _ freshness: SourceFreshness
    ) {
        guard let bytes = result.body.bytesInMemory else { return }
        results.set(
            Entry(result: result, version: key.version, freshness: freshness), for: key.place,
            cost: bytes.count + result.report.utf8.count + 512)
    }

    func remove(source: String) -> RemovedEntries {
        removeAll { $0.image.isVariant(ofLine: source) }
    }

    func removeAll(where isMeant: (Place) -> Bool = { _ in true }) -> RemovedEntries {
        var removed = RemovedEntries()
        for place in results.keys where isMeant(place) {
            removed.count += 1
            removed.byteCount += results.value(for: place)?.result.byteCount ?? 0
            results.remove(place)
        }
        return removed
    }
}

/// How long what is known of a source may be used without asking for it again.
struct SourceFreshness: Hashable, Sendable {
    /// The time of the steady clock until which it is fresh; nil for a source that does not change.
    var end: Duration?
    /// The lifetime that its server has said, if one has.
    var lifetime: Duration?
    /// The time of the steady clock at which it was made.
    var birth: Duration?
    /// Whether its server has it for the one who asked only.
    var isPrivate = false
    /// Whether its server lets others keep it.
    var isStorable = true
    /// Whether its server lets others decide how long it is used when it is no longer fresh (RFC 5861).
    var allowsStaleUse = false

    /// Of a source that is asked for each time.
    static let none = SourceFreshness(end: .zero)
    /// Of a source that does not change.
    static let endless = SourceFreshness()

    func isFresh(at now: Duration) -> Bool { end.map { $0 > now } ?? true }

    /// Whether it was fresh not longer than a time ago.
    func isUsable(at now: Duration, staleFor time: Duration) -> Bool {
        guard allowsStaleUse, let birth, let lifetime, lifetime > .zero else { return false }
        return birth + lifetime + time > now
    }
}

extension Rendition.Key {
    /// Where it is found in memory.
    var place: RenditionMemory.Place {
        RenditionMemory.Place(image: image, rendition: rendition, part: part)
    }
}
