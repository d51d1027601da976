internal import LazyBase

/// Whether an output must still be made, decided by the journal and the files on disk.
enum SkipDecision: Equatable {
    /// It exists and was made of this content with these options, or there is nothing to make it of.
    ///
    /// `notesAgain` asks for a new record in the journal.
    case skip(notesAgain: Bool)
    /// It must be made; `overwrites` allows to replace existing files, which are ours.
    case make(overwrites: Bool)

    /// The facts about one output when its turn comes.
    struct Facts {
        var record: JournalRecord?
        /// The unique name of the input, as in records.
        var input: String
        var identity: InputIdentity?
        var options: String
        /// What equal options were called by earlier versions.
        var earlierOptions: [String] = []
        /// The sizes of the outputs; nil for missing ones.
        var sizes: [(path: String, size: Int?)]
        /// Whether the input that the record names is gone, so that its output can become another's.
        var isOrphaned = false
        /// Whether an existing file is still what was made.
        var isIntact: @Sendable (JournalRecord.File) -> Bool = { _ in true }
        /// Whether existing outputs count as made, even if this batch did not make them.
        var acceptsExisting = false
        /// Whether everything is made again.
        var isForced = false

        /// Whether one of the outputs exists.
        var hasOutput: Bool { sizes.contains { $0.size != nil } }

        /// Whether a record was made with these options, by whatever version.
        func hasOptions(of record: JournalRecord) -> Bool {
            record.options == options || earlierOptions.contains(record.options)
        }
    }

    /// Decides; `content` reads the input, and is called only where nothing else decides.
    init(_ facts: Facts, content: () -> String?) {
        let exists = !facts.sizes.isEmpty && facts.sizes.allSatisfy { $0.size != nil }
        if facts.isForced {
            self = .make(overwrites: true)
        } else if facts.acceptsExisting, exists {
            self = .skip(notesAgain: false)
        } else if let record = facts.record {
            self = Self.decide(record, facts, exists: exists, content)
        } else {
            self = .make(overwrites: false)
        }
    }

    private static func decide(
        _ record: JournalRecord, _ facts: Facts, exists: Bool, _ content: () -> String?
    ) -> SkipDecision {
        // What was made of another input is not replaced as long as that exists.
        let isReplaced = record.input.isSamePath(as: facts.input) || facts.isOrphaned
        let isSame = facts.hasOptions(of: record) && record.identity == facts.identity
        // Next time the new name is compared first.
        let isEarlier = record.options != facts.options
        if record.state == .nothing, isSame, record.input.isSamePath(as: facts.input) {
            return .skip(notesAgain: isEarlier)
        }
        guard isOurs(facts, record) else { return .make(overwrites: false) }
        if record.state == .ready, exists, isSame, isReplaced, isComplete(facts, record) {
            return .skip(notesAgain: true)
        }
        guard exists, record.state == .done, facts.hasOptions(of: record) else {
            return .make(overwrites: isReplaced)
        }
        if isSame { return .skip(notesAgain: isEarlier) }
        if let known = record.content, facts.identity != nil, content() == known {
            return .skip(notesAgain: true)
        }
        return .make(overwrites: isReplaced)
    }

    // Whether a run that was interrupted had given all files their names.
    private static func isComplete(_ facts: Facts, _ record: JournalRecord) -> Bool {
        let new = record.files.suffix(record.readyCount)
        return facts.sizes.allSatisfy { path, size in
            new.contains {
                $0.path.isSamePath(as: path) && $0.size == size && facts.isIntact($0)
            }
        }
    }

    // Whether existing files are as we left them; files of others are not overwritten.
    private static func isOurs(_ facts: Facts, _ record: JournalRecord) -> Bool {
        facts.sizes.allSatisfy { path, size in
            size == nil
                || record.files.contains {
                    $0.path.isSamePath(as: path) && $0.size == size && facts.isIntact($0)
                }
        }
    }
}
