/// Whether a load may use what is stored, and whether it may ask the network.
public enum FetchPolicy: String, CaseIterable, Sendable {
    /// By the rules of HTTP: fresh from the store, stale validated (`useProtocolCachePolicy`).
    case normal
    /// From the network, whatever is stored; the answer is stored (`reloadIgnoringCacheData`).
    case reload
    /// From the store, however old, else the network (`returnCacheDataElseLoad`).
    case cacheElseLoad
    /// From the store, however old, else an error (`returnCacheDataDontLoad`): offline.
    case cacheOnly
    /// From the network, and nothing is stored.
    case noCache
}
