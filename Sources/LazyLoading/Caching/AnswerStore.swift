public import FoundationEssentials
public import LazyBytes
public import LazyCache

/// A loader that keeps answers, itself or one that it hands requests on to.
///
/// A loader that stands around others conforms by handing on the store of the next one; where one
/// does not, the caches of a pipeline do not reach the stores behind it.
public protocol AnswerKeeping: DataLoading {
    /// Where the answers are kept, or nil where none are.
    var answerStore: AnswerStore? { get }
}

/// The answers that a loader keeps: to be looked at and removed without loading anything.
///
/// Every method waits for the disk where that is where they are.
public struct AnswerStore: Sendable {
    /// The policy that stands in place of those of requests, or nil for their own.
    public var policy: FetchPolicy?
    private let exchange: CacheExchange

    init(_ exchange: CacheExchange) { self.exchange = exchange }

    /// The body that a load would get from here without a word to the server, or nil.
    public func body(for request: LoadRequest) -> Blob? {
        guard request.isForCache else { return nil }
        var request = request
        request.policy = policy ?? request.policy
        let answers = exchange.store.storedAnswers(to: request)
        guard case .serve(let place, _) = exchange.decide(request, answers) else { return nil }
        let answer = answers[place]
        guard answer.body.count > 0 else { return nil }
        let head = ResponseHead(
            url: answer.response.url, headers: answer.response.headers,
            expectedCount: answer.body.count, origin: .store)
        return try? LoadResponse(head: head, blob: answer.body, for: request).body.stored
    }

    /// Removes the answers of an address, whatever they vary by, and what waits to be continued.
    @discardableResult
    public func remove(at url: URL) -> RemovedEntries {
        remove(.variants(of: CachingLoader.key(for: url)))
    }

    /// Removes the answers of all addresses that were asked for under an identifier.
    ///
    /// Opens every entry of the store: some 10 ms for a thousand.
    @discardableResult
    public func remove(knownBy identifier: String) -> RemovedEntries {
        var groups: Set<String> = []
        _ = remove(
            .matching { key, metadata in
                let names = CacheRecord(metadata: metadata)?.identifiers ?? []
                if names.contains(identifier) { groups.insert(String(EntryGroup.of(key))) }
                return false
            })
        return groups.reduce(RemovedEntries()) { $0 + remove(.variants(of: $1)) }
    }

    /// Removes all answers, and all that waits to be continued.
    @discardableResult
    public func removeAll() -> RemovedEntries { remove(.all) }

    private func remove(_ choice: EntryChoice) -> RemovedEntries {
        [exchange.store, exchange.memory].reduce(RemovedEntries()) { removed, answers in
            removed + ((try? answers.store.remove(choice, kinds: .all)) ?? .failed)
        }
    }
}
