internal import LazyBytes
internal import LazyMedia

/// Makes the previews of one download, one after the other.
///
/// Unchecked: used by the one task of the loop, step by step.
final class PreviewLoop: @unchecked Sendable {
    let body: GrowingBody
    private let node: ImageNode
    private let maker: PreviewDecoder
    private var gate: PreviewGate

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
        guard case .make(let policy) = answer,
            let ticket = await node.graph.acquire(.decoding, for: node.unit.id)
        else { return nil }
        defer { node.graph.release(ticket) }
        // The download may have ended during the wait.
        guard !Task.isCancelled else { return nil }
        // The newest bytes, not those from before the wait.
        let prefix = body.blob
        let size = node.request.thumbnail?.size
        let preview = await BlockingPool.shared.run { [self] in
            maker.makePreview(of: prefix, policy: policy, size: size)
        }
        gate.didFinish(hasPreview: preview != nil)
        return preview
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
