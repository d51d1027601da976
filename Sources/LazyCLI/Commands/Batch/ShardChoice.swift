internal import LazyBatch

/// The value of `--shard`.
enum ShardChoice: Equatable {
    case auto
    case one(Shard)

    init(_ text: String) throws(ArgumentError) {
        if text == "auto" {
            self = .auto
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
            let shard = Shard(number, of: count)
        else { throw ArgumentError("a shard is written as 1/8, from 1/8 to 8/8, or auto") }
        self = .one(shard)
    }
}
