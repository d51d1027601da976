/// Whether a load may use the cache and the network.
public enum FetchPolicy: String, CaseIterable, Sendable {
    /// By the rules of HTTP: fresh responses from the cache, stale ones after validation
    /// (`useProtocolCachePolicy`).
    case normal
    /// From the network; the response is stored (`reloadIgnoringCacheData`).
    case reload
    /// From the cache regardless of age, else from the network (`returnCacheDataElseLoad`).
    case cacheElseLoad
    /// From the cache regardless of age, else an error (`returnCacheDataDontLoad`): offline.
    case cacheOnly
    /// From the network; nothing is stored.
    case noCache
}
