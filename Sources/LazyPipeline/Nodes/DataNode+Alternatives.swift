internal import FoundationEssentials
internal import LazyLoading

// For requests with more than one URL: which of them is loaded.
extension DataNode {
    /// Loads the request's own URL or an alternative, or the low-data URL on a constrained network.
    func pullAlternatives(
        _ load: LoadRequest, begun: LoadResponse?
    ) async throws(PipelineError) -> LoadedData {
        guard let lowDataURL = request.lowDataURL else {
            return try await pullBest(load, begun: begun)
        }
        do throws(PipelineError) {
            var free = load
            free.isConstrainedNetworkAllowed = false
            return try await pullBest(free, begun: begun)
        } catch {
            guard case .dataLoadingFailed(let reason) = error, reason.code == .constrained else {
                throw error
            }
            return try await pullSubstitute(load, at: lowDataURL)
        }
    }

    /// Loads the best URL that answers within the budget.
    ///
    /// If none does, throws the error of the first one, the request's own.
    private func pullBest(
        _ load: LoadRequest, begun: LoadResponse?
    ) async throws(PipelineError) -> LoadedData {
        let others = request.alternatives
        if others.isEmpty { return try await pull(load, begun: begun) }
        let urls = [load.url] + others.map(\.url)
        let declared = [nil] + others.map(\.byteCount)
        var plan = AlternativePlan(
            sizes: zip(urls, declared).map { $1 ?? learnedSize(of: $0) },
            budget: request.byteBudget)
        var begun = begun
        var failure: PipelineError?
        while let step = plan.next() {
            let url = urls[step.place]
            do throws(PipelineError) {
                if step.place > 0 { return try await pullSubstitute(load, at: url, step.budget) }
                return try await pull(load, begun: begun.take(), budget: step.budget)
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

    private func pullSubstitute(
        _ load: LoadRequest, at url: URL, _ budget: Int? = nil
    ) async throws(PipelineError) -> LoadedData {
        var data = try await pull(load.moved(to: url), begun: nil, budget: budget)
        data.substitute = url
        return data
    }

    private func learnedSize(of url: URL) -> Int? {
        pipeline.learnedSizes.value(for: url.absoluteString)
    }

    /// Remembers the size of a response, so that no server is asked twice for one that is too large.
    func learn(_ count: Int, of url: URL) {
        pipeline.learnedSizes.set(count, for: url.absoluteString, cost: 1)
    }
}
