internal import LazyBase

/// Makes stale results anew while they are in use (RFC 5861): each once, however many ask for it.
///
/// One that fails leaves the stale result, which serves for as long as it may; the next request begins again.
final class Revalidations: Sendable {
    private let running = Locked<[String: Task<Void, Never>]>([:])
    /// More of them wait for the next request.
    private static let most = 64

    deinit { for task in running.withLock({ $0 }).values { task.cancel() } }

    /// How many run.
    var count: Int { running.withLock { $0.count } }

    /// Begins to make the result of a job anew, unless that has begun.
    func begin(_ work: JobWork) {
        let name = "\(work.job.accepts) \(work.request.target)"
        // Without conditions, so that the result itself is asked for.
        let request = ServiceRequest(target: work.request.target)
        let job = work.job
        running.withLock { running in
            guard running[name] == nil, running.count < Self.most else { return }
            running[name] = Task { [weak self, weak service = work.service] in
                if let service {
                    let work = JobWork(job: job, request: request, service: service)
                    _ = try? await work.runWithDeadline()
                }
                self?.running.withLock { $0[name] = nil }
            }
        }
    }
}
