public import FoundationEssentials
internal import LazyLoading

extension FetchImage {
    /// Loads one URL on unconstrained networks, and a smaller one on constrained networks.
    ///
    /// Equals a request with a `lowDataURL`: the first URL is requested with constrained networks
    /// disallowed; if it fails for that reason alone, the second one is loaded. When the
    /// constraint ends (`networkConditions` of the pipeline's configuration), the first one is loaded
    /// while the second image stays.
    public convenience init(regularURL: URL, lowDataURL: URL, pipeline: ImagePipeline) {
        var request = ImageRequest(url: regularURL)
        request.lowDataURL = lowDataURL
        self.init(request: request, pipeline: pipeline)
    }

    /// Watches the network conditions after a load, if they matter.
    func didFinish() {
        guard machine.awaitsUpgrade else { return watch = nil }
        if machine.isUpgradeDue { start(isUpgrade: true) } else { watchConditions() }
    }

    /// Waits for the end of the constraint until the better image is loaded.
    ///
    /// One watch serves all upgrades: a loader that refuses what the conditions allow is asked once
    /// per change, not forever.
    func watchConditions() {
        guard watch == nil else { return }
        let changes = loader.configuration.networkConditions.changes
        // Owned by this model, which cancels it.
        watch = OwnedTask(
            Task { [weak self] in
                for await isConstrained in changes where !isConstrained {
                    guard let self, !Task.isCancelled, machine.isLowData else { return }
                    if machine.endConstraint() { start(isUpgrade: true) }
                }
            })
    }
}
