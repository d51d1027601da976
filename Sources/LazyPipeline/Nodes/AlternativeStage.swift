internal import FoundationEssentials
internal import LazyCache
internal import LazyLoading

// Which address of a picture its bytes come from: its own, an alternative, that for low data.
extension ImagePipeline {
    func load(_ work: DataWork) async throws(PipelineError) -> (LoadedData, WorkRecord) {
        let request = work.request
        guard let regular = plainLoad(of: request) else { throw .requestMissing }
        do throws(PipelineError) {
            var load = regular
            if request.lowDataURL != nil { load.isConstrainedNetworkAllowed = false }
            return try await loadBest(load, work)
        } catch {
            guard case .dataLoadingFailed(let reason) = error, reason.code == .constrained,
                let url = request.lowDataURL
            else { throw error }
            return Self.substituted(try await pull(regular.moved(to: url), work), url)
        }
    }

    /// What is asked of the loader for a request, before a delegate has seen it.
    func plainLoad(of request: ImageRequest) -> LoadRequest? {
        guard var load = request.loadRequest else { return nil }
        let most = isLocal(load.url) ? nil : configuration.maximumResponseDataSize
        load.take(request.options, configuration, atMost: most)
        load.identifier = request.storage.customID
        return load
    }

    /// Loads from the best address that answers within the budget.
    ///
    /// Where none does the error is that of the first, the request's own.
    private func loadBest(
        _ load: LoadRequest, _ work: DataWork
    ) async throws(PipelineError) -> (LoadedData, WorkRecord) {
        let others = work.request.alternatives
        if others.isEmpty { return try await pull(load, work) }
        let urls = [load.url] + others.map(\.url)
        let told = [nil] + others.map(\.byteCount)
        var plan = AlternativePlan(
            sizes: zip(urls, told).map { $1 ?? learnedSize(of: $0) },
            budget: work.request.byteBudget)
        var failure: PipelineError?
        while let step = plan.next() {
            let url = urls[step.place]
            do throws(PipelineError) {
                let loaded = try await pull(load.moved(to: url), work, budget: step.budget)
                return step.place == 0 ? loaded : Self.substituted(loaded, url)
            } catch {
                if case .cancelled = error { throw error }
                if case .dataDownloadExceededMaximumSize(let limit) = error, limit == step.budget {
                    plan.wasTooLarge(step.place, size: learnedSize(of: url))
                } else {
                    failure = failure ?? error
                }
            }
        }
        throw failure ?? .requestMissing
    }

    private static func substituted(
        _ loaded: (LoadedData, WorkRecord), _ url: URL
    ) -> (LoadedData, WorkRecord) {
        var (data, record) = loaded
        data.substitute = url
        return (data, record)
    }

    private func learnedSize(of url: URL) -> Int? { learnedSizes.value(for: url.absoluteString) }

    /// Remembers how large an answer is, so that it need not be asked for to be found too large.
    func learn(_ count: Int, of url: URL) {
        learnedSizes.set(count, for: url.absoluteString, cost: 1)
    }
}
