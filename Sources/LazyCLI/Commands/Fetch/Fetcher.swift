internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

/// A URL to load.
struct FetchItem: Sendable {
    let url: URL
    /// As given by the user.
    let label: String
}

extension FetchItem {
    /// Parses a URL of the command line.
    init(_ text: String) throws(CommandFailure) {
        guard RemoteAddress.isMeant(text) else {
            throw .usage(
                "This is not a URL: \(text).", hint: "URLs begin with http:// or https://.")
        }
        guard let url = RemoteAddress.url(text) else {
            throw .usage("The URL is malformed: \(text).")
        }
        self.init(url: url, label: text)
    }
}

/// The result of a download.
struct Fetched: Sendable {
    let item: FetchItem
    /// The path, `-`, or nil if only the cache has it.
    let output: String?
    let count: Int
    let head: ResponseHead
}

/// Loads complete responses in pieces, to files, standard output or only the cache.
struct Fetcher: Sendable {
    /// The destination of the bytes.
    enum Target: Sendable {
        /// One output.
        case output(OutputTarget)
        /// A folder; the server or the URL gives the name.
        case folder(OutputFolder)
        /// Only the cache.
        case cache
    }

    let network: Network
    let target: Target
    let overwrite: OverwritePolicy
    let bar: ProgressBar?
    private let claims = NameClaims()

    /// Loads one; blocks while it writes.
    func fetch(_ asked: FetchItem) async throws(CommandFailure) -> Fetched {
        let (response, item) = try await begin(asked)
        let output = try output(for: item, response.head)
        let file = if let output { try OutputFile(output) } else { OutputFile?.none }
        var count = 0
        bar?.expect(response.head.expectedCount ?? 0, given: response.head.resumedCount)
        while let piece = try await next(response.body, item) {
            count += piece.count
            if let most = network.settings.maximumBytes, count > most { throw tooLarge(item, most) }
            try file?.put(piece)
            bar?.advance(by: piece.count)
        }
        try file?.keep(overwrite)
        return Fetched(item: item, output: output?.label, count: count, head: response.head)
    }

    /// Begins to load from the first URL that responds, within the budget if there is one.
    private func begin(
        _ item: FetchItem
    ) async throws(CommandFailure) -> (LoadResponse, from: FetchItem) {
        let urls = [item.url] + network.settings.alternatives
        var plan = AlternativePlan(sizes: urls.map { _ in nil }, budget: network.settings.budget)
        var failure: CommandFailure?
        while let step = plan.next() {
            let other = FetchItem(url: urls[step.place], label: item.label)
            do throws(CommandFailure) {
                let response = try await answer(to: other)
                guard let budget = step.budget, let count = response.head.expectedCount,
                    count > budget, response.head.isOfNetwork
                else { return (response, other) }
                plan.wasTooLarge(step.place, size: count)
            } catch {
                if error.status.isInterruption { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? .cancelled
    }

    private func answer(to item: FetchItem) async throws(CommandFailure) -> LoadResponse {
        let loader = network.loader
        var request = network.settings.request(item.url)
        request.isConstrainedNetworkAllowed = network.settings.lowDataURL == nil
        await network.askSystem()
        do throws(LoadingError) {
            return try await loader.load(request)
        } catch {
            guard error.code == .constrained, let url = network.settings.lowDataURL else {
                throw CommandFailure(error, about: item.label)
            }
            do throws(LoadingError) {
                return try await loader.load(network.settings.request(url))
            } catch {
                throw CommandFailure(error, about: item.label)
            }
        }
    }

    private func next(
        _ body: LoadBody, _ item: FetchItem
    ) async throws(CommandFailure) -> [UInt8]? {
        do throws(LoadingError) {
            if Task.isCancelled { throw .cancelled }
            return try await body.next()
        } catch {
            throw CommandFailure(error, about: item.label)
        }
    }

    private func output(
        for item: FetchItem, _ head: ResponseHead
    ) throws(CommandFailure) -> OutputTarget? {
        let output: OutputTarget
        switch target {
        case .cache: return nil
        case .output(let own): output = own
        case .folder(let folder):
            output = OutputTarget(
                folder, FileNaming.name(url: item.url, headers: head.headers))
        }
        guard output.isFile else { return output }
        guard claims.claim(output.label) else {
            throw CommandFailure(
                .cannotCreate, "exists",
                "Another URL of this run is written to \(output.label).",
                hint: "Fetch it separately, with -o FILE."
            ).about(item.label)
        }
        do throws(CommandFailure) { try output.refuseExisting(overwrite) } catch {
            throw error.about(item.label)
        }
        return output
    }

    private func tooLarge(_ item: FetchItem, _ most: Int) -> CommandFailure {
        CommandFailure(
            LoadingError(.tooLarge, "The response is larger than \(most) bytes."), about: item.label
        )
    }
}

/// The names already used in one run.
final class NameClaims: Sendable {
    private let names = Locked<Set<String>>([])

    /// Whether the name was unused.
    func claim(_ name: String) -> Bool { names.withLock { $0.insert(name).inserted } }
}

extension ResponseHead {
    /// Whether at least some of the bytes come over the network.
    fileprivate var isOfNetwork: Bool { [.network, .resumed].contains(origin) }
}
