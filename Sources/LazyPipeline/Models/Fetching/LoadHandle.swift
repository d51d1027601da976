/// Owns a load and the task that reads its events; releasing it cancels both.
final class LoadHandle: Sendable {
    let task: ImageTask
    private let listener: Task<Void, Never>

    init(_ task: ImageTask, receive: @escaping @MainActor @Sendable (ImageTask.Event) -> Void) {
        self.task = task
        let events = task.events
        // Owned by this handle, which cancels it.
        listener = Task { @MainActor in
            for await event in events where !Task.isCancelled { receive(event) }
        }
    }

    deinit {
        listener.cancel()
        task.cancel()
    }
}
