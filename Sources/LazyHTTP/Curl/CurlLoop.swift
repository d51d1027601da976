internal import CCurl
import Glibc
import LazyBytes
import LazyLoading

/// The loop that drives all transfers of an engine, on a thread of its own.
///
/// Everything in it belongs to that thread; what comes from others comes through the link.
final class CurlLoop {
    private let link: CurlLink
    private let configuration: HTTPLoader.Configuration
    private let clock = SystemSteadyClock()
    private var admission: Admission
    private var waiting: [Int: (hop: Hop, channel: TransferChannel)] = [:]
    private var live: [Int: CurlTransfer] = [:]

    private init(_ link: CurlLink, _ configuration: HTTPLoader.Configuration) {
        self.link = link
        self.configuration = configuration
        admission = Admission(configuration)
    }

    /// Starts a loop's thread, which ends when it is told to stop, or with the process.
    static func start(
        on link: CurlLink, _ configuration: HTTPLoader.Configuration,
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
        while obey() {
            admit()
            link.multi.perform()
            for transfer in live.values {
                transfer.flush()
                if transfer.isMultiplexed { admission.noteMultiplexing(transfer.hop.host) }
            }
            while let (transfer, result) = link.multi.nextDone() {
                end(transfer, transfer.outcome(of: result))
            }
            endLate()
            link.multi.poll(timeToNextDeadline())
        }
        for transfer in live.values { end(transfer, .failure(.cancelled)) }
        for (_, channel) in waiting.values { channel.finish(.failure(.cancelled)) }
    }

    // MARK: - Commands

    /// Does what others asked for; false to stop.
    private func obey() -> Bool {
        for command in link.take() {
            switch command {
            case .start(let id, let hop, let channel):
                waiting[id] = (hop, channel)
                admission.enqueue(id, host: hop.host)
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
            guard let (hop, channel) = waiting.removeValue(forKey: id) else { continue }
            begin(id, hop, channel)
        }
    }

    private func begin(_ id: Int, _ hop: Hop, _ channel: TransferChannel) {
        do throws(LoadingError) {
            let transfer = try CurlTransfer(id: id, hop: hop, channel: channel)
            guard link.multi.add(transfer) else {
                throw hop.error(.environment, "libcurl does not take the transfer")
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

    private func endLate() {
        let now = clock.now
        for transfer in live.values {
            guard let late = transfer.lateness(now: now) else { continue }
            end(transfer, .failure(late))
        }
        for (id, (hop, channel)) in waiting {
            guard let deadline = hop.deadline, deadline <= now else { continue }
            admission.remove(id)
            waiting[id] = nil
            channel.finish(.failure(hop.totalTimeout))
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
        for (hop, _) in waiting.values { consider(hop.deadline) }
        return next.map { $0 - now } ?? .seconds(600)
    }
}

extension Hop {
    var totalTimeout: LoadingError {
        error(.timeout, "it took longer than \((request.totalTimeout ?? .zero).words) in all")
    }
}

extension Duration {
    /// The length in seconds, as messages show it.
    var words: String {
        let milliseconds = Int((self / .milliseconds(1)).rounded())
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
