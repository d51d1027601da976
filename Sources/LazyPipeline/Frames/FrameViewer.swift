public import LazyMedia

/// One who looks at the frames of a sequence; dropping it gives its share of the memory back.
///
/// Frames that were handed out stay good for as long as somebody keeps them.
public final class FrameViewer: Sendable {
    private let pool: FramePool
    private let id: Int
    private let key: FrameStore.Key

    init(pool: FramePool, id: Int, key: FrameStore.Key) {
        self.pool = pool
        self.id = id
        self.key = key
    }

    deinit {
        let id = id
        pool.update(key) { store, effects in
            store.giveUp(id, &effects)
            store.apply(store.ring.leave(id), &effects)
        }
    }

    /// The frame of a number from 0, or nil behind the end; frames behind it are decoded ahead.
    ///
    /// A call while another one waits ends that one, which throws `.cancelled`; so does cancelling
    /// its task. Throws what decoding throws.
    public func frame(_ index: Int) async throws(MediaError) -> Frame? {
        if Task.isCancelled { throw .cancelled }
        let id = id
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                pool.update(key) { store, effects in
                    store.giveUp(id, &effects)
                    store.wait(id, waiter)
                    store.apply(store.ring.request(id, index), &effects)
                }
                if Task.isCancelled { giveUp() }
            }
        } onCancel: {
            giveUp()
        }
        // An answer that is there before the task sleeps wakes nobody: then only the lock orders what
        // the decoding thread has written before what is read here, as far as ThreadSanitizer sees.
        pool.update(key) { _, _ in }
        return try outcome.get()
    }

    /// Decodes ahead, now that what was shown before has been let go of.
    public func lookAhead() {
        pool.update(key) { store, effects in store.apply(store.ring.plan(), &effects) }
    }

    /// Plays, so that frames are decoded ahead, or is paused or off screen and holds no memory.
    public func setActive(_ isActive: Bool) {
        let id = id
        pool.update(key) { store, effects in
            store.apply(store.ring.setActive(id, isActive), &effects)
            if store.ring.claimants == 0 { store.close(&effects) }
        }
    }

    /// Looks ahead backwards instead of forwards.
    public func setReverse(_ isReverse: Bool) {
        let id = id
        pool.update(key) { store, _ in store.ring.setStep(id, isReverse ? -1 : 1) }
    }

    private func giveUp() {
        let id = id
        pool.update(key) { store, effects in
            store.giveUp(id, &effects)
            store.apply(store.ring.giveUp(id), &effects)
        }
    }
}
