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
    func fallBack(from outcome: Outcome) -> Bool {
        guard let low = source?.lowData, case .failure(.dataLoadingFailed(let error)) = outcome,
            error.code == .constrained
        else { return false }
        start(low, isLowData: true)
        return true
    }

    /// Waits for the end of the constraint, for as long as the better picture is not there.
    func watchConditions() {
        guard watch == nil, case .lowData(_, _, let conditions) = source else { return }
        watch = ConditionsWatch(conditions) { [weak self] isConstrained in
            guard !isConstrained else { return true }
            return self?.upgrade() ?? false
        }
    }

    /// Loads the better picture; returns whether there may be need of it later.
    private func upgrade() -> Bool {
        guard let source else { return false }
        if let handle, !handle.isLowData { return true }
        if handle == nil, case .success = result, !isLowData { return false }
        handle = nil
        start(source.request(isLowData: false), isLowData: false)
        return true
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

        var lowData: ImageRequest? {
            guard case .lowData(_, let low, _) = self else { return nil }
            return low
        }
    }
}

/// Tells whether the network is constrained, and when that changes.
public protocol NetworkConditioning: AnyObject, Sendable {
    /// Whether loads are to be small.
    var isConstrained: Bool { get }

    /// The changes from now on; each use is a stream of its own.
    var changes: AsyncStream<Bool> { get }
}

/// Owns the task that listens to the network's conditions; releasing it ends that.
final class ConditionsWatch: Sendable {
    private let listener: Task<Void, Never>

    /// Listens until the action returns false.
    init(
        _ conditions: any NetworkConditioning,
        _ didChange: @escaping @MainActor @Sendable (Bool) -> Bool
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
