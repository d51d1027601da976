/// Whether an output is still to be made, told by the journal and by what is on the disk.
package enum SkipDecision: Equatable {
    /// It is there, and made of this content with these options.
    ///
    /// `notesAgain` says that the journal should hear of it.
    case skip(notesAgain: Bool)
    /// It is to be made; `overwrites` says that what is there is an older one of ours.
    case make(overwrites: Bool)

    /// What is known of one output when its turn comes.
    package struct Facts {
        package var record: JournalRecord?
        /// The input by its one name, as records have it.
        package var input: String
        package var identity: InputIdentity?
        package var options: String
        /// The sizes of the job's outputs; nil for those that are not there.
        package var sizes: [(path: String, size: Int?)]
        /// Whether an existing output is accepted, even if this batch did not make it.
        package var takesWhatIsThere = false
        /// Whether all is made anew.
        package var isForced = false

        package init(
            record: JournalRecord? = nil, input: String, identity: InputIdentity? = nil,
            options: String, sizes: [(path: String, size: Int?)], takesWhatIsThere: Bool = false,
            isForced: Bool = false
        ) {
            self.record = record
            self.input = input
            self.identity = identity
            self.options = options
            self.sizes = sizes
            self.takesWhatIsThere = takesWhatIsThere
            self.isForced = isForced
        }

        /// Whether one of the outputs is there.
        package var isSomethingThere: Bool { sizes.contains { $0.size != nil } }
    }

    /// Decides; `content` reads the input, and is called only where nothing else tells.
    package init(_ facts: Facts, content: () -> String?) {
        let isThere = !facts.sizes.isEmpty && facts.sizes.allSatisfy { $0.size != nil }
        if facts.isForced {
            self = .make(overwrites: true)
        } else if facts.takesWhatIsThere, isThere {
            self = .skip(notesAgain: false)
        } else if let record = facts.record {
            self = Self.decide(record, facts, isThere: isThere, content)
        } else {
            self = .make(overwrites: false)
        }
    }

    private static func decide(
        _ record: JournalRecord, _ facts: Facts, isThere: Bool, _ content: () -> String?
    ) -> SkipDecision {
        // What was made of another input is not this one's to replace.
        let isReplaced = record.input == facts.input
        let isSame = record.options == facts.options && record.identity == facts.identity
        if record.state == .start, record.files.isEmpty {
            // It did not exist when the interrupted run began, and outputs appear only when complete.
            return isThere && isSame ? .skip(notesAgain: true) : .make(overwrites: isReplaced)
        }
        guard isOurs(facts, record) else { return .make(overwrites: false) }
        guard isThere, record.state == .done, record.options == facts.options else {
            return .make(overwrites: isReplaced)
        }
        if isSame { return .skip(notesAgain: false) }
        if let known = record.content, facts.identity != nil, content() == known {
            return .skip(notesAgain: true)
        }
        return .make(overwrites: isReplaced)
    }

    // What is there is as we left it; somebody else's work is not overwritten.
    private static func isOurs(_ facts: Facts, _ record: JournalRecord) -> Bool {
        facts.sizes.allSatisfy { path, size in
            size == nil || record.files.contains { $0.path == path && $0.size == size }
        }
    }
}
