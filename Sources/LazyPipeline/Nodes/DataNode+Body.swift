internal import LazyBase
internal import LazyLoading

extension DataNode {
    /// Receives a body, and tells its progress to the tasks that wait for it.
    ///
    /// `request` is nil where a loader of the delegate answered it.
    func collect(
        _ response: LoadResponse, of request: LoadRequest?, _ limit: Int?
    ) async throws(LoadingError) -> Blob {
        let body = response.body
        if let whole = response.storedBody {
            tell(.init(completed: Int64(whole.count), total: Int64(whole.count)))
            return whole
        }
        let growing = GrowingBody(response.head, of: request)
        while let piece = try await body.next() {
            do { try await growing.append(piece, of: body) } catch {
                throw LoadingError(
                    .environment, "The bytes cannot be stored: \(error).", underlying: error)
            }
            if let limit, growing.progress.completed > limit {
                throw LoadingError(.tooLarge, "The response is larger than \(limit) bytes.")
            }
            unit.output.publish(growing)
            if let progress = growing.takeProgress() { tell(progress) }
        }
        if let progress = growing.takeProgress(isEnd: true) { tell(progress) }
        let blob = growing.blob
        guard blob.count == growing.progress.completed else {
            throw LoadingError(.environment, "The store has lost bytes of the response.")
        }
        return blob
    }

    private func tell(_ progress: ImageTask.Progress) {
        for task in graph.tasks(above: unit.id) { task.didProgress(progress) }
    }
}

extension LoadResponse {
    /// The whole body, if a store has it already.
    fileprivate var storedBody: Blob? {
        guard [.local, .store, .stale, .revalidated].contains(head.origin),
            let expected = head.expectedCount, let stored = body.stored, stored.count == expected
        else { return nil }
        return stored
    }
}
