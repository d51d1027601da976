public import LazyMedia

/// A viewer of a sequence in a frame pool; releasing it gives its memory back.
///
/// Delivered frames stay valid for as long as they are retained.
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
        pool.freeingMany {
            pool.update(key) { store, effects in
                store.giveUp(id, &effects)
                store.apply(store.ring.leave(id), &effects)
            }
        }
    }

    /// The frame of an index, or nil after the end; the following frames are decoded ahead.
    ///
    /// A call during another one cancels the other, which throws `.cancelled`; so does cancelling
    /// its task. Throws decoding errors.
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
        // If the result is there before the task suspends, nothing resumes it: then only the lock orders what
        // the decoding thread has written before what is read here, as far as ThreadSanitizer sees.
        pool.update(key) { _, _ in }
        return try outcome.get()
    }

    /// Continues to decode ahead, after the previous frame was released.
    public func lookAhead() {
        pool.update(key) { store, effects in store.apply(store.ring.plan(), &effects) }
    }

    /// Sets whether frames are decoded ahead; an inactive viewer holds no memory.
    public func setActive(_ isActive: Bool) {
        let id = id
        pool.freeingMany {
            pool.update(key) { store, effects in
                store.apply(store.ring.setActive(id, isActive), &effects)
                if store.ring.claimants == 0 { store.close(&effects) }
            }
        }
    }

    /// Sets the direction in which frames are decoded ahead.
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
