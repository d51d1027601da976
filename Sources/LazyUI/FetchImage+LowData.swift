public import FoundationEssentials
internal import LazyBytes
internal import LazyLoading
public import LazyPipeline

extension FetchImage {
    /// Loads an address on free networks, and one with fewer bytes on constrained ones.
    ///
    /// The first is asked for without leave for constrained networks; where it fails for that
    /// alone, the second is loaded. When the constraint is lifted the first is loaded, while the
    /// picture of the second stays.
    public convenience init(
        regularURL: URL, lowDataURL: URL, pipeline: ImagePipeline,
        conditions: any NetworkConditioning
    ) {
        self.init(pipeline: pipeline)
        load(
            regular: ImageRequest(url: regularURL), lowData: ImageRequest(url: lowDataURL),
            conditions: conditions)
    }

    /// Loads one request on free networks and another on constrained ones.
    public func load(
        regular: ImageRequest, lowData: ImageRequest, conditions: any NetworkConditioning
    ) {
        load(.lowData(regular: regular, low: lowData, conditions))
    }

    /// Loads the request with fewer bytes where the other failed for the network's constraint.
    ///
    /// Where the constraint was lifted meanwhile the other is tried once more.
    func fallBack(from outcome: Outcome) -> Bool {
        guard case .lowData(_, let low, let conditions) = source,
            case .failure(.dataLoadingFailed(let error)) = outcome, error.code == .constrained
        else { return false }
        isFallenBack = conditions.isConstrained || isFallenBack
        if isFallenBack {
            start(low, isLowData: true)
        } else {
            isFallenBack = true
            startRegular()
        }
        return true
    }

    /// Waits for the end of the constraint, for as long as the better picture is not there.
    func watchConditions() {
        guard watch == nil, case .lowData(_, _, let conditions) = source else { return }
        watch = ConditionsWatch(conditions) { [weak self] isConstrained in
            guard let self else { return false }
            if !isConstrained { self.upgrade() }
            return !self.hasRegular
        }
    }

    private var hasRegular: Bool {
        if case .success = result { !isLowData } else { false }
    }

    /// Loads the better picture where the other took its place.
    private func upgrade() {
        guard isFallenBack, !hasRegular, handle?.isLowData ?? true else { return }
        isFallenBack = false
        handle = nil
        startRegular()
    }

    private func startRegular() {
        guard let source else { return }
        start(source.request(isLowData: false), isLowData: false)
    }
}

extension FetchImage {
    /// What is to be loaded.
    enum Source {
        case request(ImageRequest)
        case lowData(regular: ImageRequest, low: ImageRequest, any NetworkConditioning)

        func request(isLowData: Bool) -> ImageRequest {
            switch self {
            case .request(let request): return request
            case .lowData(var regular, let low, _):
                if isLowData { return low }
                regular.loadRequest?.isConstrainedNetworkAllowed = false
                return regular
            }
        }
    }
}
