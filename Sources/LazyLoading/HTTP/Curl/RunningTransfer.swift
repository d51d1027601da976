/// The consumer's side of a transfer.
final class RunningTransfer: Sendable {
    private let id: Int
    private let channel: TransferChannel
    private let link: CurlLink
    private let engine: any AnyObject & Sendable

    /// `engine` is kept alive until the transfer is dropped.
    init(id: Int, channel: TransferChannel, link: CurlLink, engine: any AnyObject & Sendable) {
        self.id = id
        self.channel = channel
        self.link = link
        self.engine = engine
    }

    /// Waits for the head; cancelling the task ends the transfer.
    func response() async throws(LoadingError) -> HTTPResponse {
        try await withTaskCancellationHandler {
            await channel.response()
        } onCancel: {
            abandon()
        }.get()
    }

    /// Waits for the next piece; cancelling the task ends the transfer.
    func next() async throws(LoadingError) -> [UInt8]? {
        let (result, hasRoom) = await withTaskCancellationHandler {
            await channel.next()
        } onCancel: {
            abandon()
        }
        if hasRoom { link.send(.resume(id)) }
        return try result.get()
    }

    /// Waits for the end; throws only if cancelled.
    func drain() async throws(LoadingError) {
        do { while try await next() != nil {} } catch  where error.code == .cancelled {
            throw error
        } catch {}
    }

    /// Ends the transfer if it has not ended.
    func abandon() {
        if channel.abandon() { link.send(.cancel(id)) }
    }
}
