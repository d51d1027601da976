internal import LazyBase
internal import LazyMedia

/// Whether times come before pictures: once a picture was declined, until several in a row were not.
///
/// A decoder that asks first cannot read ahead.
private struct PictureDemand {
    private static let maxWantedInARow = 8

    private(set) var isSparse = false
    private var wantedCount = 0

    mutating func note(_ isWanted: Bool) {
        wantedCount = isWanted ? wantedCount + 1 : 0
        isSparse = isWanted ? isSparse && wantedCount < Self.maxWantedInARow : true
    }
}

/// Reads frames that a process of its own decodes.
///
/// Where that process has ended because nobody used it, the next call opens the media again and continues
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
    /// Where the next frame is.
    private var position = Position.index(0)
    private var lastIndex: Int?
    private var generation: UInt32 = 0
    /// Frames read in a row, after which the decoder reads ahead.
    private var sequentialCount = 0
    private var demand = PictureDemand()
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

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        try using { (link) throws(MediaError) in
            let delivery = delivery
            try link.exchange.send(
                .next(generation: generation, free: link.slots.takeFreed(), delivery))
            var isAsked = false
            while true {
                switch try link.exchange.answer() {
                case .frame(let message):
                    guard let frame = try frame(message, link) else { continue }
                    if !isAsked { demand.note(isWanted(frame.timing)) }
                    return (frame.timing, frame)
                case .times(let generation, let timing, let warnings):
                    note(warnings)
                    guard delivery == .timesFirst, !isAsked, generation == self.generation else {
                        throw link.exchange.unexpected()
                    }
                    isAsked = true
                    try check(timing, link)
                    let isWanted = isWanted(timing)
                    demand.note(isWanted)
                    try link.exchange.send(.wantsPicture(isWanted))
                    guard !isWanted else { continue }
                    didRead(timing)
                    return (timing, nil)
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

    private var delivery: FrameDelivery {
        if demand.isSparse { return .timesFirst }
        return sequentialCount > 0 && !options.isSingleFrame ? .ahead : .one
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
        // Frames that are not announced are decoded all the same.
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
        if let new = message.color { color = new }
        note(message.warnings)
        guard link.slots.receive(message.slot) else {
            throw link.exchange.broken("A frame lies in a slot that is not the decoder's.")
        }
        guard message.generation == generation else {
            link.slots.free(message.slot)
            return nil
        }
        try check(message.timing, link)
        guard message.layout != .deep || options.keepsDepth,
            message.layout != .planes || options.planes
        else { throw link.exchange.broken("A frame has another layout than was asked for.") }
        let frame = try link.slots.frame(message, color, lends: options.lendsPixels)
        didRead(message.timing)
        return frame
    }

    private func check(_ timing: FrameTiming, _ link: Link) throws(MediaError) {
        guard lastIndex.map({ timing.index > $0 }) ?? true, timing.index < .max,
            timing.duration >= .zero
        else { throw link.exchange.broken("A frame does not follow the one before.") }
    }

    private func didRead(_ timing: FrameTiming) {
        lastIndex = timing.index
        position = .index(timing.index + 1)
        sequentialCount += 1
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
                if let new = message.color { color = new }
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
            if !isNew { try resume(link) }
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

    private func resume(_ link: Link) throws(MediaError) {
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
