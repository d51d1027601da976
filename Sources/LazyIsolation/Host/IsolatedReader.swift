internal import LazyBase
internal import LazyMedia

/// Reads frames that a process of its own decodes.
///
/// Where that process has ended because nobody used it, the next call opens the media again and goes on
/// at the same frame.
final class IsolatedReader: FrameReader {
    /// A reader in one decoder.
    private struct Link {
        let exchange: Exchange
        let slots: FrameSlots
    }

    private let media: IsolatedMedia
    private let options: ReaderOptions
    private let size: PixelSize
    private let layout: SlotLayout
    private var link: Link?
    /// The place of the next frame.
    private var position = Position.index(0)
    private var lastIndex: Int?
    private var generation: UInt32 = 0
    /// Frames read in a row, after which the decoder reads ahead.
    private var sequentialCount = 0
    private var color = ColorDescription.sRGB
    private(set) var warnings: [MediaWarning] = []

    private enum Position {
        case index(Int)
        case time(Duration)
    }

    init(_ media: IsolatedMedia, _ options: ReaderOptions) {
        self.media = media
        self.options = options
        size = options.size ?? media.info.size
        layout = options.slotLayout(of: size)
    }

    /// Makes the reader in the decoder.
    func begin() throws(MediaError) { try using { (_) throws(MediaError) in } }

    func nextFrame() throws(MediaError) -> Frame? {
        try using { (link) throws(MediaError) in
            try link.exchange.send(
                .next(
                    generation: generation, free: link.slots.takeFreed(),
                    isAhead: sequentialCount > 0 && !options.isSingleFrame))
            while true {
                switch try link.exchange.answer() {
                case .frame(let message):
                    if let frame = try frame(message, link) { return frame }
                case .end(let generation, let warnings):
                    note(warnings)
                    if generation == self.generation { return nil }
                case .failed(let generation, let error, let warnings):
                    note(warnings)
                    if generation == self.generation { throw error }
                default: throw link.exchange.unexpected()
                }
            }
        }
    }

    func seek(toIndex index: Int) throws(MediaError) {
        try using { (link) throws(MediaError) in
            generation &+= 1
            try seek(link, .seekIndex(generation: generation, index))
        }
        position = .index(index)
    }

    func seek(toTime time: Duration) throws(MediaError) {
        try using { (link) throws(MediaError) in
            generation &+= 1
            try seek(link, .seekTime(generation: generation, time))
        }
        position = .time(time)
    }

    func willRead(_ indices: [Int]) {
        // Frames that a decoder does not hear of are decoded all the same.
        try? using { (link) throws(MediaError) in try link.exchange.send(.willRead(indices)) }
    }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        // A decoder that reads ahead has another last frame.
        guard sequentialCount <= 1 || options.isSingleFrame, lastIndex != nil, link != nil else {
            return nil
        }
        try options.limits.check(canvas: size)
        return try using { (link) throws(MediaError) in
            generation &+= 1
            try link.exchange.send(.lastFrame(generation: generation, size))
            guard let picture = try link.exchange.offeredPicture(options.limits),
                let timing = picture.offer.timing
            else { return nil }
            guard picture.offer.size == size else { throw link.exchange.unexpected() }
            if picture.offer.layout == .deep {
                let deep = try picture.memory.deepBitmap(size, isOpaque: picture.offer.isOpaque)
                return try Frame(deep: deep, timing: timing, color: picture.offer.color)
            }
            return Frame(bitmap: try picture.bitmap(), timing: timing, color: picture.offer.color)
        }
    }

    // MARK: - Answers

    private func note(_ new: [MediaWarning]?) { if let new { warnings = new } }

    /// The frame of an answer, or nil for one from before the last seek.
    private func frame(_ message: FrameMessage, _ link: Link) throws(MediaError) -> Frame? {
        if let told = message.color { color = told }
        note(message.warnings)
        guard link.slots.receive(message.slot) else {
            throw link.exchange.broken("A frame lies in a slot that is not the decoder's.")
        }
        guard message.generation == generation else {
            link.slots.free(message.slot)
            return nil
        }
        guard lastIndex.map({ message.timing.index > $0 }) ?? true,
            message.timing.duration >= .zero, message.layout != .deep || options.keepsDepth,
            message.layout != .planes || options.planes
        else { throw link.exchange.broken("A frame does not follow the one before.") }
        let frame = try link.slots.frame(message, color, lends: options.lendsPixels)
        lastIndex = message.timing.index
        position = .index(message.timing.index + 1)
        sequentialCount += 1
        return frame
    }

    private func seek(_ link: Link, _ request: HostMessage) throws(MediaError) {
        sequentialCount = 0
        lastIndex = nil
        try link.exchange.send(request)
        while true {
            switch try link.exchange.answer() {
            case .done(let generation, let warnings) where generation == self.generation:
                return note(warnings)
            case .failed(let generation, let error, let warnings):
                note(warnings)
                if generation == self.generation { throw error }
            case .frame(let message):
                if let told = message.color { color = told }
                guard link.slots.receive(message.slot) else { throw link.exchange.unexpected() }
                link.slots.free(message.slot)
            case .end: continue
            default: throw link.exchange.unexpected()
            }
        }
    }

    // MARK: - Decoders

    /// Calls a closure with the reader in a decoder that stays alive until the closure returns.
    private func using<Result>(
        _ body: (Link) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try options.cancellation.check()
        if let link, !link.exchange.session.hasEnded,
            media.host.budget.begin(link.exchange.session)
        {
            return try finishing(link.exchange.session) { () throws(MediaError) in try body(link) }
        }
        let session = try media.session(options.cancellation)
        return try finishing(session) { () throws(MediaError) in
            let isNew = link == nil
            let link = try makeLink(session)
            self.link = link
            if !isNew { try goOn(link) }
            return try body(link)
        }
    }

    private func finishing<Result>(
        _ session: MediaSession, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        do throws(MediaError) {
            let result = try body()
            media.release(session)
            return result
        } catch {
            media.release(session, after: error)
            throw error
        }
    }

    private func makeLink(_ session: MediaSession) throws(MediaError) -> Link {
        let slots = try FrameSlots(size: size, layout: layout, options)
        let exchange = try media.exchange(
            session,
            .frames(options, slots: slots.count, slotBytes: layout.byteCount),
            slots.file, options.limits.decodeTime, options.cancellation)
        switch try exchange.answer() {
        case .done(_, let warnings): note(warnings)
        case .failed(_, let error, _): throw error
        default: throw exchange.unexpected()
        }
        return Link(exchange: exchange, slots: slots)
    }

    private func goOn(_ link: Link) throws(MediaError) {
        generation &+= 1
        switch position {
        case .index(0): generation = 0
        case .index(let index):
            try seek(link, .seekIndex(generation: generation, index))
        case .time(let time):
            try seek(link, .seekTime(generation: generation, time))
        }
    }
}
