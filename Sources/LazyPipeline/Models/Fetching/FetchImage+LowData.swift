public import FoundationEssentials

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
        guard isLowData, case .success = result else { return watch = nil }
        if isUpgradeWanted { return upgrade() }
        watchConditions()
    }

    /// Waits for the end of the constraint until the better image is loaded.
    ///
    /// One watch serves all upgrades: a loader that refuses what the conditions allow is asked once
    /// per change, not forever.
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
