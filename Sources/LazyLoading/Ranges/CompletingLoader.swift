internal import LazyBase

/// Makes complete answers of what servers send for ranges.
///
/// Browsers ask for `bytes=N-` alone, so there are servers that take no other form: they refuse a range with an end
/// or a request without a range (400, 416), or take its digits for another place. They are asked for an open range,
/// of which no more is read than was wanted. A server may also send less than was asked for (RFC 9110, 15.3.7): the
/// rest is asked for until it is there. What the loaders above see is the range they asked for, or the whole.
package struct CompletingLoader: DataLoading {
    private let next: any DataLoading
    private let origins = OpenRangeOrigins()

    /// Makes a loader around the one that loads from the network.
    package init(_ next: any DataLoading) { self.next = next }

    /// Loads, with as many requests as the server needs.
    package func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        guard request.headers["Range"] == nil else { return try await next.load(request) }
        let parts = Parts(request, next, isOpen: origins.contains(request))
        switch request.range {
        case nil: return try await loadWhole(request, parts)
        case .bytes(let range): return try await load(range, request, parts)
        case .from(let start):
            return parts.completed(try await next.load(request), start..<Int.max)
        case .last: return try await next.load(request)
        }
    }

    /// Loads the whole, of a server that answers to ranges only from its parts.
    private func loadWhole(
        _ request: LoadRequest, _ parts: Parts
    ) async throws(LoadingError) -> LoadResponse {
        do throws(LoadingError) { return try await next.load(request) } catch {
            guard [400, 416].contains(error.status) else { throw error }
            guard let response = try? await parts.load(from: 0), response.head.status != 416
            else { throw Task.isCancelled ? .cancelled : error }
            guard response.head.status == 206 else { return response }
            guard let place = response.head.contentRange, place.range.lowerBound == 0,
                let count = place.whole
            else { throw error }
            if let most = request.maximumBytes, count > most {
                throw LoadingError(
                    .tooLarge, "\(request.url.shortLabel) is larger than \(most) bytes.")
            }
            return parts.completed(response, 0..<count, asWhole: true)
        }
    }

    /// Loads a range, of a server that refuses it without its end.
    private func load(
        _ range: Range<Int>, _ request: LoadRequest, _ parts: Parts
    ) async throws(LoadingError) -> LoadResponse {
        if parts.isOpen {
            return parts.completed(try await parts.load(from: range.lowerBound), range)
        }
        let refusal: Result<LoadResponse, LoadingError>
        do throws(LoadingError) {
            let response = try await next.load(request)
            guard response.head.refuses(range) else { return parts.completed(response, range) }
            refusal = .success(response)
        } catch {
            guard error.refusesRange || error.status == 500 else { throw error }
            refusal = .failure(error)
        }
        guard let open = try? await parts.load(from: range.lowerBound),
            open.head.status == 200 && request.maximumBytes == nil
                || open.head.contentRange?.range.contains(range.lowerBound) == true
        else {
            if Task.isCancelled { throw .cancelled }
            return try refusal.get()
        }
        if open.head.contentRange?.range.lowerBound == range.lowerBound {
            origins.insert(request)
            return Parts(request, next, isOpen: true).completed(open, range)
        }
        return open
    }
}

/// The servers that take ranges without an end only.
private final class OpenRangeOrigins: Sendable {
    private static let maxCount = 1000
    private let origins = Locked<Set<String>>([])

    func contains(_ request: LoadRequest) -> Bool {
        origins.withLock { !$0.isEmpty && $0.contains(request.url.origin) }
    }

    func insert(_ request: LoadRequest) {
        origins.withLock { origins in
            if origins.count >= Self.maxCount { origins = [] }
            origins.insert(request.url.origin)
        }
    }
}

extension LoadingError {
    /// Whether the server refuses ranges, or this form of one, and not the resource.
    ///
    /// 206 is that of an answer without its position.
    package var refusesRange: Bool { status.map { [206, 400, 416, 501].contains($0) } ?? false }
}

extension ResponseHead {
    /// Whether an answer to a range is of another one, or says that there is none.
    fileprivate func refuses(_ range: Range<Int>) -> Bool {
        switch status {
        case 206: contentRange?.range.contains(range.lowerBound) != true
        // The size tells whether the range is beyond the end.
        case 416:
            headers["Content-Range"]?.split(separator: "/").last.flatMap { Int($0) }
                .map { $0 > range.lowerBound } ?? true
        default: false
        }
    }
}
