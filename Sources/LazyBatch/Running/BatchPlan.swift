internal import LazyBase

/// What decides which shard an input is in.
public enum ShardKey: String, CaseIterable, Sendable {
    /// The name of the input; no file is opened.
    case name
    /// The content: copies of a file are in one shard.
    case content
    /// The place in the list; all machines need the same list.
    case order
}

/// Which items of a list a run makes: those of its shard, each with outputs of its own.
public struct BatchPlan: Sendable {
    /// Two inputs that would be written to one file.
    public struct Collision: Error, Equatable, Sendable {
        /// The labels of the inputs.
        public let inputs: [String]
        /// The path of the output.
        public let output: String
    }

    private let shard: Shard
    private let key: ShardKey
    private let base: String?
    private var writers: [NameDigest: String] = [:]

    /// Makes a plan; `base` is the folder that is removed from paths before a shard is computed.
    public init(_ shard: Shard = .all, by key: ShardKey = .name, base: String? = nil) {
        self.shard = shard
        self.key = key
        self.base = base
    }

    /// Whether the input at a place of the list is in this shard.
    public func contains(_ input: BatchInput, place: Int) -> Bool {
        guard shard.count > 1 else { return true }
        switch key {
        case .order: return shard.contains(place: place)
        case .content:
            // An unreadable file must be in one shard too, whose machine reports it.
            guard let path = input.path, let digest = Digest.content(path, most: .max) else {
                return shard.contains(input.label)
            }
            return shard.contains(digest)
        case .name: return shard.contains(input.shardName(base: base))
        }
    }

    /// Registers the outputs of an input of any shard; throws where another input has one of them.
    public mutating func register(
        _ input: BatchInput, outputs: [String]
    ) throws(Collision) {
        for output in outputs {
            guard let other = writers.updateValue(input.label, forKey: NameDigest(output)),
                !FileKind.isDevice(output)
            else { continue }
            throw Collision(inputs: [other, input.label], output: output)
        }
    }
}
