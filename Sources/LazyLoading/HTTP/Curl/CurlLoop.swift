internal import CCurl
import Glibc
import LazyBase

/// The event loop of all transfers of an engine, on a thread of its own.
///
/// Confined to that thread; other threads send commands through the link.
final class CurlLoop {
    private let link: CurlLink
    private let clock = SystemSteadyClock()
    private var admission: Admission
    private var waiting: [Int: (step: RedirectStep, channel: TransferChannel)] = [:]
    private var live: [Int: CurlTransfer] = [:]

    private init(_ link: CurlLink, _ configuration: HTTPConfiguration) {
        self.link = link
        admission = Admission(
            perHost: configuration.connectionsPerHost, total: configuration.transfers,
            rate: configuration.rateLimit)
    }

    /// Starts the thread of a loop, which ends at the command `stop` or with the process.
    static func start(
        on link: CurlLink, _ configuration: HTTPConfiguration,
        _ threads: LoopThreads
    ) throws(LoadingError) {
        guard let id = threads.begin(link) else { throw .cancelled }
        do throws(SystemError) {
            // A lost TLS connection must not raise `SIGPIPE`.
            try DetachedThread.start(blocksSignals: true) {
                CurlLoop(link, configuration).run()
            } afterRelease: {
                threads.didEnd(id)
            }
        } catch {
            threads.didEnd(id)
            throw LoadingError(
                .environment, "The system refuses a thread for loading over HTTP.",
                underlying: error)
        }
    }

    private func run() {
        while runCommands() {
            admit()
            link.multi.perform()
            for transfer in live.values {
                transfer.flush()
                if transfer.isMultiplexed { admission.noteMultiplexing(transfer.step.host) }
            }
            while let (transfer, result) = link.multi.nextDone() {
                end(transfer, transfer.outcome(of: result))
            }
            endOverdue()
            link.multi.poll(timeToNextDeadline())
        }
        for transfer in live.values { end(transfer, .failure(.cancelled)) }
        for (_, channel) in waiting.values { channel.finish(.failure(.cancelled)) }
    }

    // MARK: - Commands

    /// Runs the commands of other threads; returns false to stop.
    private func runCommands() -> Bool {
        for command in link.take() {
            switch command {
            case .start(let id, let step, let channel):
                waiting[id] = (step, channel)
                admission.enqueue(id, host: step.host)
            case .resume(let id):
                if let transfer = live[id], !transfer.resume(now: clock.now) {
                    end(transfer, transfer.outcome(of: CURLE_WRITE_ERROR))
                }
            case .cancel(let id):
                admission.remove(id)
                waiting[id] = nil
                if let transfer = live[id] { end(transfer, .failure(.cancelled)) }
            case .stop: return false
            }
        }
        return true
    }

    private func admit() {
        for id in admission.admit(now: clock.now) {
            guard let (step, channel) = waiting.removeValue(forKey: id) else { continue }
            begin(id, step, channel)
        }
    }

    private func begin(_ id: Int, _ step: RedirectStep, _ channel: TransferChannel) {
        do throws(LoadingError) {
            let transfer = try CurlTransfer(id: id, step: step, channel: channel)
            guard link.multi.add(transfer) else {
                throw step.error(.environment, "libcurl does not accept the transfer")
            }
            live[id] = transfer
        } catch {
            admission.remove(id)
            channel.finish(.failure(error))
        }
    }

    private func end(_ transfer: CurlTransfer, _ outcome: Result<Void, LoadingError>) {
        link.multi.remove(transfer)
        live[transfer.id] = nil
        admission.remove(transfer.id)
        transfer.channel.finish(outcome)
    }

    // MARK: - Time

    private func endOverdue() {
        let now = clock.now
        for transfer in live.values {
            guard let error = transfer.timeoutError(now: now) else { continue }
            end(transfer, .failure(error))
        }
        for (id, (step, channel)) in waiting {
            guard let deadline = step.deadline, deadline <= now else { continue }
            admission.remove(id)
            waiting[id] = nil
            channel.finish(.failure(step.totalTimeout))
        }
    }

    private func timeToNextDeadline() -> Duration {
        let now = clock.now
        var next = admission.nextChance(now: now)
        func consider(_ deadline: Duration?) {
            guard let deadline else { return }
            next = min(next ?? deadline, deadline)
        }
        for transfer in live.values { consider(transfer.deadline) }
        for (step, _) in waiting.values { consider(step.deadline) }
        return next.map { $0 - now } ?? .seconds(600)
    }
}
