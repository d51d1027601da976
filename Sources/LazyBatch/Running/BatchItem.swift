internal import LazyBase

/// What an item of a batch is made into.
public protocol BatchProduct: Sendable {
    /// The files that were written, the main one first.
    var outputs: [String] { get }
}

/// The input of an item.
public struct BatchInput: Hashable, Sendable {
    /// The input as given: a path or a URL.
    public let label: String
    /// The path, where it is a file.
    public let path: String?

    /// A file.
    public init(path: String) { (label, self.path) = (path, path) }

    /// An input that is not a file, such as a URL.
    public init(address: String) { (label, path) = (address, nil) }

    /// The canonical name of the input: an absolute path, or the URL.
    public var source: String { path.map { FilePath.absolute($0) } ?? label }

    /// What a shard is computed from: the path below `base`, without what differs between machines.
    func shardName(base: String?) -> String {
        guard let path else { return label }
        let normalized = FilePath.normalized(path)
        guard let base else { return normalized }
        let head = FilePath.normalized(base) + "/"
        return normalized.hasPathPrefix(head) ? String(normalized[head.endIndex...]) : normalized
    }
}

/// One input of a batch and the work that makes its outputs.
public struct BatchItem<Product: BatchProduct>: Sendable {
    /// Receives the completed fraction of the work, 0 to 1.
    public typealias Progress = @Sendable (Double) -> Void
    /// Makes the outputs; replaces existing ones only if `overwrites`.
    public typealias Work =
        @Sendable (_ overwrites: Bool, _ progress: @escaping Progress)
        async throws(BatchFailure) -> Product

    /// The input.
    public let input: BatchInput
    /// The paths of the outputs, the main one first.
    public let outputs: [String]
    /// What decides the bytes besides the input: equal options make equal files.
    public let options: String
    /// What equal options were called by earlier versions, whose journals are understood.
    package var earlierOptions: [String] = []
    /// The work.
    public let work: Work
    /// Whether it was found in a folder: that an output of others has its name is no failure then.
    package var isFound = false
    /// Whether it may have the outputs that were last made of another input, which still exists.
    package var succeeds: @Sendable (_ input: String) -> Bool = { _ in false }

    /// Makes an item.
    public init(input: BatchInput, outputs: [String], options: String, work: @escaping Work) {
        self.input = input
        self.outputs = outputs
        self.options = options
        self.work = work
    }

    /// The name of its record in the journal.
    var key: String { FilePath.absolute(outputs.first ?? "") }
}
