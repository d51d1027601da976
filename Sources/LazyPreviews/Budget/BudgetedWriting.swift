internal import LazyMedia

/// Writes a thumbnail of no more than a number of bytes.
struct BudgetedWriting {
    let draft: Draft
    let edit: ClipEdit
    let choice: SegmentChoice
    let maxBytes: Int

    init(_ draft: Draft, _ edit: ClipEdit, _ choice: SegmentChoice, maxBytes: Int) {
        self.draft = draft
        self.edit = edit
        self.choice = choice
        self.maxBytes = maxBytes
    }

    func run(
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws(MediaError) -> Attempt {
        try await draft.encode(
            Settings(edit: edit, encoding: draft.thumbnail.encoding), to: write, progress: progress)
    }
}
