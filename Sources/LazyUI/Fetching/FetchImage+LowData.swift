public import FoundationEssentials
internal import LazyLoading
public import LazyPipeline

extension FetchImage {
    /// Loads an address on free networks, and one with fewer bytes on constrained ones.
    ///
    /// The same as a request with a `lowDataURL`: the first address is asked for without leave for
    /// constrained networks; where it fails for that alone, the second is loaded. When the
    /// constraint ends (`networkConditions` of the pipeline's configuration) the first is loaded,
    /// while the picture of the second stays.
    public convenience init(regularURL: URL, lowDataURL: URL, pipeline: ImagePipeline) {
        var request = ImageRequest(url: regularURL)
        request.lowDataURL = lowDataURL
        self.init(request: request, pipeline: pipeline)
    }

    /// What is done about the network's conditions behind a load.
    func didFinish() {
        guard isLowData, case .success = result else { return watch = nil }
        if isUpgradeWanted { return upgrade() }
        watchConditions()
    }

    /// Waits for the end of the constraint, for as long as the better picture is not there.
    ///
    /// One watch for all upgrades: a loader that refuses what the conditions allow is asked once for
    /// each change, not for ever.
    func watchConditions() {
        guard watch == nil else { return }
        watch = ConditionsWatch(pipeline.configuration.networkConditions) { [weak self] in
            guard let self else { return false }
            if !$0 { self.upgrade() }
            return self.isLowData
        }
    }

    private func upgrade() {
        guard isLowData else { return }
        if handle == nil { start(isUpgrade: true) } else { isUpgradeWanted = true }
    }
}

/// Owns the task that listens to the network's conditions; releasing it ends that.
final class ConditionsWatch: Sendable {
    private let listener: Task<Void, Never>

    /// Tells of the conditions now and of each change, until the action returns false.
    init(
        _ conditions: NetworkConditions,
        _ didChange: @escaping @MainActor @Sendable (_ isConstrained: Bool) -> Bool
    ) {
        let changes = conditions.changes
        // Owned by this watch, which cancels it.
        listener = Task { @MainActor in
            for await isConstrained in changes {
                if Task.isCancelled || !didChange(isConstrained) { return }
            }
        }
    }

    deinit { listener.cancel() }
}
