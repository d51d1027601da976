import Glibc

/// Asks the system for a few threads at a time, before Swift's concurrency needs them.
///
/// libdispatch, on which it stands, asks again for ever where it is refused one, and says nothing.
enum ThreadProbe {
    /// What a run cannot do without: for signals, for Swift's tasks, for work that blocks.
    static let needed = 4

    /// Whether so many threads can be there at one time.
    static func succeeds(_ count: Int = needed) -> Bool {
        let gate = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(gate, 0, 0)
        var threads: [pthread_t] = []
        for _ in 0..<count {
            var thread = pthread_t()
            let status = pthread_create(
                &thread, nil,
                { gate in
                    guard let gate = gate?.assumingMemoryBound(to: sem_t.self) else { return nil }
                    while sem_wait(gate) != 0 {}
                    return nil
                }, gate)
            if status == 0 { threads.append(thread) }
        }
        for _ in threads { sem_post(gate) }
        for thread in threads { pthread_join(thread, nil) }
        sem_destroy(gate)
        gate.deallocate()
        return threads.count == count
    }
}
