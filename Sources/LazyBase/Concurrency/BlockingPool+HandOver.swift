import Glibc

extension BlockingPool {
    /// Runs a body whose first job for the pool of the calling thread is done by that thread, next.
    ///
    /// For the last step of a job that leads to another one: no thread is woken for it, and the data
    /// stay in the caches of this core. The caller must end its job soon. On other threads it only runs
    /// the body.
    package static func handingOver(_ body: () -> Void) {
        guard let worker = PoolWorker.current else { return body() }
        worker.isHandingOver = true
        body()
        worker.isHandingOver = false
    }
}

/// A thread of a pool, and the job that was handed over to it.
final class PoolWorker {
    fileprivate var isHandingOver = false
    var next: UnownedJob?
    private let pool: BlockingPool

    private init(of pool: BlockingPool) { self.pool = pool }

    /// Takes a job of its pool if one is handed over; false if the pool is to take it.
    func take(_ job: UnownedJob, of pool: BlockingPool) -> Bool {
        guard isHandingOver, next == nil, pool === self.pool else { return false }
        next = job
        return true
    }

    /// The worker of the calling thread, if it belongs to a pool.
    static var current: PoolWorker? {
        pthread_getspecific(key).map {
            Unmanaged<PoolWorker>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Makes the calling thread a worker of a pool for the time of a body.
    static func asCurrent(of pool: BlockingPool, _ body: (PoolWorker) -> Void) {
        let worker = PoolWorker(of: pool)
        pthread_setspecific(key, Unmanaged.passUnretained(worker).toOpaque())
        body(worker)
        pthread_setspecific(key, nil)
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()
}
