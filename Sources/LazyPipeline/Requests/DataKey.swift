internal import FoundationEssentials
internal import LazyLoading

/// The identity of a download; a request keeps its own.
final class DataKey: Hashable, Sendable {
    /// Options that affect what is loaded or stored.
    static let options: ImageRequest.Options = [
        .reloadIgnoringCachedData, .returnCacheDataDontLoad, .disableDiskCacheReads,
        .disableDiskCacheWrites,
    ]

    let id: String
    private let idHash: Int
    let variant: String
    let kind: Kind
    let options: ImageRequest.Options
    /// How it is loaded; its URL counts only as the identifier.
    let load: LoadRequest?
    let lowDataAddress: String?
    let alternatives: [ImageRequest.Alternative]
    let byteBudget: Int?

    /// The kind of a source; identifiers of different kinds are unrelated.
    enum Kind {
        case address
        case bytes
        case picture

        init(_ source: ImageRequest.Source) {
            self =
                switch source {
                case .url, .missing: .address
                case .data: .bytes
                case .image: .picture
                }
        }
    }

    init(_ request: ImageRequest) {
        id = request.imageID
        idHash = id.hashValue
        variant = request.variant
        kind = Kind(request.source)
        options = request.options.intersection(Self.options)
        load = request.loadRequest
        lowDataAddress = request.lowDataURL?.absoluteString
        alternatives = request.alternatives
        byteBudget = request.byteBudget
    }

    /// Hashes the identifier only: the rest seldom differs.
    func hash(into hasher: inout Hasher) { hasher.combine(idHash) }

    static func == (left: DataKey, right: DataKey) -> Bool {
        if left === right { return true }
        guard left.idHash == right.idHash, left.id == right.id, left.kind == right.kind,
            left.variant == right.variant, left.options == right.options,
            left.lowDataAddress == right.lowDataAddress, left.byteBudget == right.byteBudget,
            left.alternatives == right.alternatives
        else { return false }
        guard let one = left.load, let other = right.load else {
            return (left.load == nil) == (right.load == nil)
        }
        // Equal identifiers imply equal URLs, but not the same user.
        return one.url.user() == other.url.user() && one.url.password() == other.url.password()
            && one.headers == other.headers && one.range == other.range
            && one.policy == other.policy
            && one.isConstrainedNetworkAllowed == other.isConstrainedNetworkAllowed
            && one.isResumable == other.isResumable && one.maximumBytes == other.maximumBytes
            && one.connectTimeout == other.connectTimeout && one.readTimeout == other.readTimeout
            && one.totalTimeout == other.totalTimeout && one.minimumRate == other.minimumRate
            && one.secretHeaders == other.secretHeaders
    }
}
