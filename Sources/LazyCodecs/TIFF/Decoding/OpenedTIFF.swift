internal import LazyMedia

/// A TIFF whose directories have been read.
struct OpenedTIFF: OpenedMedia {
    let bytes: any ByteSource
    /// The pages that are shown, in their order.
    let pages: [TIFFPage]
    let info: MediaInfo
    /// Smaller versions of the first page.
    private let reduced: [TIFFPage]
    private let timings: [FrameTiming]

    init(_ bytes: any ByteSource, limits: DecodingLimits) throws(MediaError) {
        let (all, damage) = try Self.readPages(bytes, limits)
        let whole = all.filter { !$0.isReduced && !$0.isMask }
        // A file may hold smaller versions only.
        let shown = whole.isEmpty ? all : whole
        let readable = shown.filter { $0.refusal == nil && $0.size != nil }
        let pages = readable.filter { !$0.isAbsent }
        guard let first = pages.first, let coded = first.size else {
            if !readable.isEmpty {
                throw MediaError(.truncated, "The TIFF ends before its first picture does.")
            }
            _ = try shown.first?.check(limits)
            throw damage ?? MediaError(.malformed, "The TIFF has no picture.")
        }
        _ = try first.check(limits)
        self.bytes = bytes
        self.pages = pages
        reduced = whole.isEmpty ? [] : all.filter { $0.isReduced && $0.refusal == nil }
        timings = Self.timings(pages.count)
        let size = first.orientation.turned(coded)
        let haveOneSize = pages.allSatisfy { $0.size.map($0.orientation.turned) == size }
        var info = MediaInfo(
            type: .tiff, codec: "tiff", size: size, frameCount: pages.count,
            duration: FrameIndex(timings).duration,
            hasAlpha: !haveOneSize || pages.contains(where: \.hasAlpha),
            rotation: first.orientation.quarterTurns * 90,
            isMirrored: first.orientation.isMirrored,
            isTruncated: damage?.code == .truncated || readable.contains(where: \.isCut),
            warnings: Self.warnings(shown, damage),
            streams: [
                StreamInfo(index: 0, kind: .video, codec: "tiff", codedSize: coded, isChosen: true)
            ])
        info.color = first.color
        info.bitDepth = first.bitDepth
        info.pixelFormat = first.pixelFormat
        self.info = info
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { FrameIndex(timings) }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try TIFFReader(self, timings, options)
    }

    /// The smallest version of the first page that is not smaller than what is asked for.
    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        let sizes = reduced.compactMap(\.size)
        let enough = reduced.filter { page in
            guard let wanted = options.size, let size = page.size else { return false }
            let shown = page.orientation.turned(size)
            return shown.width >= wanted.width && shown.height >= wanted.height
        }
        let chosen = enough.min { $0.size?.pixelCount ?? 0 < $1.size?.pixelCount ?? 0 }
        guard !sizes.isEmpty,
            let page = chosen
                ?? reduced.max(by: { $0.size?.pixelCount ?? 0 < $1.size?.pixelCount ?? 0 })
        else { return nil }
        let pixels = try TIFFPixels(bytes, options)
        let bitmap = try pixels.bitmap(of: page)
        return try options.size.map { (size) throws(MediaError) in try bitmap.scaled(to: size) }
            ?? bitmap
    }

    /// Reads all directories, each once, and what ends their chain early.
    private static func readPages(
        _ bytes: any ByteSource, _ limits: DecodingLimits
    ) throws(MediaError) -> (pages: [TIFFPage], damage: MediaError?) {
        let time = limits.opening
        let handle = try TIFFHandle(
            bytes, atMost: bytes.count + maxSharedBytes, limits: limits,
            cancellation: CancellationFlag()
        ) { () throws(MediaError) in try time.check() }
        var pages: [TIFFPage] = []
        var (profile, profileBytes) = (ICCProfile?.none, 0)
        do throws(MediaError) {
            repeat {
                guard let page = handle.page(knowing: profile) else { continue }
                pages.append(page)
                try limits.check(entries: pages.count)
                guard let own = page.profile, own != profile else { continue }
                profile = own
                profileBytes += own.bytes.count
                try limits.check(memory: profileBytes)
            } while try handle.next()
        } catch  where [.malformed, .truncated].contains(error.code) && !pages.isEmpty {
            return (pages, error)
        }
        return (pages, nil)
    }

    /// What directories may read beside bytes of their own, such as the profile of all pages.
    ///
    /// libtiff reads all values of a directory with it.
    private static let maxSharedBytes = 1 << 29

    /// Pages have no duration of their own: each is shown for a second.
    private static func timings(_ count: Int) -> [FrameTiming] {
        guard count > 1 else { return [.still] }
        let second = Rational(1, 1)
        return (0..<count).map { index in
            FrameTiming(
                index: index, presentation: MediaTime(ticks: Int64(index), base: second),
                duration: MediaTime(ticks: 1, base: second), isKeyframe: true)
        }
    }

    private static func warnings(_ pages: [TIFFPage], _ damage: MediaError?) -> [MediaWarning] {
        let refused = pages.compactMap(\.refusal).first.map { reason in
            MediaWarning(.note, "A page of the TIFF is not read: \(reason).")
        }
        let cut =
            pages.contains { $0.isCut && $0.refusal == nil }
            ? MediaWarning(.truncated, "The TIFF ends before its pictures do.") : nil
        return [refused, cut, damage?.warning].compactMap(\.self)
    }
}
