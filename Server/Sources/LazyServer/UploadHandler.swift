internal import HTTPTypes
public import HummingbirdCore
internal import NIOCore
internal import NIOHTTPTypes

extension HTTPServerBuilder {
    /// A server for clients that send files, and for those that are slow: `Application(router:server:)` takes it.
    ///
    /// It answers `Expect: 100-continue`. A connection on which no whole request has come for so long is closed: longer
    /// than the minute after which proxies close theirs, so that none is closed while a request is under way.
    public static func previews(idleTimeout: Duration = .seconds(75)) -> HTTPServerBuilder {
        .http1(
            configuration: .init(
                additionalChannelHandlers: [UploadHandler()], idleTimeout: TimeAmount(idleTimeout)))
    }
}

/// Tells clients to begin to send, and ends the connection of one that is answered while it still sends.
///
/// What still comes then is read for a moment and dropped: closing at once would take the answer from the client, too
/// (RFC 9112, 9.6).
private final class UploadHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let moment = TimeAmount.seconds(2)
    /// The most bytes that are dropped.
    private static let most = 16 << 20

    /// The requests that have begun to come, without those that were answered.
    private var unanswered = 0
    /// Whether the end of a request is still to come.
    private var isReceiving = false
    /// Whether the answer says that the connection is closed, since its request still comes.
    private var isEnding = false
    /// The bytes that were dropped; nil while none are.
    private var dropped: Int?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if let dropped { return drop(part, after: dropped, context) }
        switch part {
        case .head(let request):
            if unanswered == 0, request.headerFields[.expect]?.lowercased() == "100-continue" {
                let head = HTTPResponsePart.head(HTTPResponse(status: .continue))
                context.writeAndFlush(wrapOutboundOut(head), promise: nil)
            }
            unanswered += 1
            isReceiving = true
        case .body: break
        case .end: isReceiving = false
        }
        context.fireChannelRead(data)
    }

    private func drop(_ part: HTTPRequestPart, after count: Int, _ context: ChannelHandlerContext) {
        var count = count
        if case .body(let buffer) = part { count += buffer.readableBytes }
        dropped = count
        if case .end = part { return context.close(promise: nil) }
        if count > Self.most { context.close(promise: nil) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if dropped != nil { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var response):
            guard isReceiving else { break }
            isEnding = true
            response.headerFields[.connection] = "close"
            return context.write(wrapOutboundOut(.head(response)), promise: promise)
        case .body: break
        case .end:
            unanswered -= 1
            guard isEnding else { break }
            // Nothing is dropped or closed before the client has the answer.
            let written = promise ?? context.eventLoop.makePromise(of: Void.self)
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            written.futureResult.whenSuccess { _ in
                let (handler, context) = bound.value
                handler.beginDropping(context)
            }
            return context.write(data, promise: written)
        }
        context.write(data, promise: promise)
    }

    private func beginDropping(_ context: ChannelHandlerContext) {
        guard isReceiving else { return context.close(promise: nil) }
        dropped = 0
        context.read()
        let channel = context.channel
        context.eventLoop.scheduleTask(in: Self.moment) { channel.close(mode: .all, promise: nil) }
    }
}
