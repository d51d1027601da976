internal import LazyBase
internal import LazyMedia

/// Makes the previews of one download, one after the other.
///
/// Unchecked: used by the one task of the loop, step by step.
final class PreviewLoop: @unchecked Sendable {
    let body: GrowingBody
    private let node: ImageNode
    private let maker: PreviewDecoder
    private var gate: PreviewGate
    /// Whether parts of the film may still be requested; once for a download.
    private var mayRequestParts = true

    init(_ body: GrowingBody, for node: ImageNode) {
        self.body = body
        self.node = node
        let configuration = node.configuration
        maker = PreviewDecoder(
            decoders: configuration.decoders, limits: configuration.limits,
            delayRule: configuration.delayRule)
        gate = PreviewGate(interval: configuration.progressiveDecodingInterval)
    }

    /// Decodes a preview of the bytes so far, if one is due.
    func next() async -> ImageContainer? {
        let count = Int(body.progress.completed)
        var answer = gate.didReceive(count, at: node.clock.now)
        if answer == .ask {
            gate.didDecide(await policy(for: body.blob))
            answer = gate.didReceive(count, at: node.clock.now)
        }
        guard case .make(let policy) = answer else { return nil }
        let early = policy == .incremental ? await previewByRanges() : nil
        let preview = if let early { early } else { await preview(policy) }
        gate.didFinish(hasPreview: preview != nil)
        return preview
    }

    private func preview(_ policy: PreviewPolicy) async -> ImageContainer? {
        guard let ticket = await node.graph.acquire(.decoding, for: node.unit.id) else {
            return nil
        }
        defer { node.graph.release(ticket) }
        // The download may have ended during the wait.
        guard !Task.isCancelled else { return nil }
        // The newest bytes, not those from before the wait.
        let prefix = body.blob
        let size = node.request.thumbnail?.size
        return await BlockingPool.shared.run { [self] in
            maker.makePreview(of: prefix, policy: policy, size: size)
        }
    }

    // MARK: - Films whose tables come last

    /// The first frame of such a film, from ranges beside the download; nil for others, and after the first try.
    private func previewByRanges() async -> ImageContainer? {
        guard mayRequestParts, let film = await film() else { return nil }
        mayRequestParts = false
        guard (try? await node.waitForRate()) != nil, !Task.isCancelled else { return nil }
        let bytes = ArrivingBytes(body, parts: film.bytes)
        let size = node.request.thumbnail?.size
        let preview = await withTaskCancellationHandler {
            await BlockingPool.remote.run { [self] in
                maker.makePoster(of: bytes, film.type, size: size)
            }
        } onCancel: {
            bytes.cancelReads()
        }
        var cost = WorkRecord()
        cost.networkBytes = film.bytesRead()
        node.unit.charge { $0.add(cost) }
        node.pipeline.count(cost)
        return preview
    }

    /// The parts of the film, if its tables come last, are far, and the server has ranges.
    private func film() async -> RemoteMedia? {
        let progress = body.progress
        guard let opener = node.configuration.remoteOpener, let request = body.request,
            body.head.isFromNetwork,
            progress.total - progress.completed > RangeOpener.smallest
        else {
            mayRequestParts = false
            return nil
        }
        let prefix = body.blob
        let type = await BlockingPool.shared.run { [self] in
            maker.typeOfLateTables(prefix, of: Int(progress.total))
        }
        guard let type else { return nil }
        guard let film = opener.open(type, downloadedBy: request, body.head) else {
            mayRequestParts = false
            return nil
        }
        return film
    }

    private func policy(for prefix: Blob) async -> PreviewPolicy {
        let decoders = node.configuration.decoders
        let type = await BlockingPool.shared.run {
            (try? decoders.type(of: BlobBytes(prefix))) ?? .unknown
        }
        let own = node.pipeline.delegate?.previewPolicy(
            for: type, prefix: prefix, request: node.request, pipeline: node.pipeline)
        return own ?? maker.defaultPolicy(for: type, prefix: prefix)
    }
}
