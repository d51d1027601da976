internal import CWebP
internal import LazyBase
internal import LazyMedia

/// All that a thread needs to code one frame.
struct WebPFrameJob: Sendable {
    /// The frame's rectangle.
    let rect: PixelRect
    let content: Content
    /// The rectangle of the previous frame where that is cleared on disposal, or nil.
    var cleared: PixelRect?

    enum Content: Sendable {
        /// Lossy and opaque; blocks that are not coded show the canvas.
        case planes(PlanarPicture, WebPBlocks)
        /// Lossy with alpha; replaces the canvas.
        case translucent(Bitmap)
        /// Lossless; pixels equal to those of another picture show the canvas.
        case exact(Bitmap, over: Bitmap?)
    }

    /// Whether the frame is blended over the canvas and does not replace it.
    var blends: Bool {
        switch content {
        case .planes(_, let blocks): blocks.hasHole(in: rect)
        case .translucent: false
        case .exact(_, let below): below != nil
        }
    }

    /// An estimate of the memory for coding, in bytes.
    var cost: Int {
        switch content {
        case .planes(let picture, _): picture.size.pixelCount * 12
        case .translucent(let bitmap): bitmap.size.pixelCount * 24
        case .exact(let bitmap, _): bitmap.size.pixelCount * 48
        }
    }

    /// Codes the frame into chunks from `ALPH`, `VP8 ` or `VP8L` on.
    func run(
        _ settings: WebPSettings, _ cancellation: CancellationFlag
    ) throws(MediaError) -> [UInt8] {
        switch content {
        case .planes(let picture, let blocks):
            let config = try settings.lossyConfig(isFrame: true)
            guard blends else {
                return try WebPCoder.code(picture, rect, config, cancellation)
            }
            return try WebPCoder.code(
                picture.filled(blocks, rect), alpha: blocks.alpha(in: rect), rect, config,
                cancellation)
        case .translucent(let bitmap):
            let config = try settings.lossyConfig(isFrame: true)
            return try code(bitmap, over: nil, config, cancellation)
        case .exact(let bitmap, let below):
            return try code(bitmap, over: below, settings.losslessConfig(), cancellation)
        }
    }

    private func code(
        _ bitmap: Bitmap, over below: Bitmap?, _ config: WebPConfig,
        _ cancellation: CancellationFlag
    ) throws(MediaError) -> [UInt8] {
        var pixels = bitmap.argb(rect, over: below, cleared: cleared)
        return try WebPCoder.code(
            argb: &pixels, PixelSize(width: rect.width, height: rect.height), config, cancellation)
    }
}

extension PixelRect {
    /// Whether a pixel lies inside.
    fileprivate func contains(_ column: Int, _ row: Int) -> Bool {
        column >= x && column < x + width && row >= y && row < y + height
    }
}

extension Bitmap {
    /// The pixels of a rectangle as ARGB, alpha in the highest byte.
    ///
    /// Those equal to another picture's become transparent, except where that is cleared.
    func argb(
        _ rect: PixelRect, over below: Bitmap? = nil, cleared: PixelRect? = nil
    ) -> [UInt32] {
        let width = size.width
        return withBytes { bytes in
            let pixels = bytes.bindMemory(to: UInt32.self)
            return [UInt32](unsafeUninitializedCapacity: rect.width * rect.height) {
                output, count in
                count = rect.width * rect.height
                for y in 0..<rect.height {
                    let row = (rect.y + y) * width + rect.x
                    for x in 0..<rect.width {
                        let pixel = pixels[row + x]
                        output[y * rect.width + x] =
                            pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | pixel >> 16 & 0xFF
                    }
                }
                below?.withBytes { below in
                    let below = below.bindMemory(to: UInt32.self)
                    for y in 0..<rect.height {
                        let row = (rect.y + y) * width + rect.x
                        for x in 0..<rect.width where pixels[row + x] == below[row + x] {
                            let isCleared = cleared?.contains(rect.x + x, rect.y + y) ?? false
                            if !isCleared { output[y * rect.width + x] = 0 }
                        }
                    }
                }
            }
        }
    }
}

extension WebPBlocks {
    /// The alpha of a rectangle: 255 in coded blocks, else 0.
    func alpha(in rect: PixelRect) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: rect.width * rect.height) { output, count in
            count = rect.width * rect.height
            for y in 0..<rect.height {
                let row = (rect.y + y) / Self.side * columns
                for x in 0..<rect.width {
                    let isCoded = isCoded[row + (rect.x + x) / Self.side]
                    output[y * rect.width + x] = isCoded ? 255 : 0
                }
            }
        }
    }
}

extension PlanarPicture {
    /// The picture with each block that is not coded filled with its mean.
    ///
    /// This costs few bits, and lets neighbors be predicted.
    func filled(_ blocks: WebPBlocks, _ rect: PixelRect) throws(MediaError) -> PlanarPicture {
        let layout = layout
        return try PlanarPicture(size: size, matrix: matrix, isFullRange: isFullRange) { output in
            withBytes { output.copyMemory(from: $0) }
            guard let start = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                return
            }
            let side = WebPBlocks.side
            let last = (rect.x + rect.width - 1) / side
            for row in rect.y / side...(rect.y + rect.height - 1) / side {
                for column in rect.x / side...last
                where !blocks.isCoded[row * blocks.columns + column] {
                    let (x, y) = (column * side, row * side)
                    let (right, bottom) = (min(x + side, size.width), min(y + side, size.height))
                    Self.flatten(start, size.width, x..<right, y..<bottom)
                    for plane in [layout.u, layout.v] {
                        Self.flatten(
                            start + plane, layout.chromaWidth, x / 2..<(right + 1) / 2,
                            y / 2..<(bottom + 1) / 2)
                    }
                }
            }
        }
    }

    private static func flatten(
        _ plane: UnsafeMutablePointer<UInt8>, _ stride: Int, _ columns: Range<Int>,
        _ rows: Range<Int>
    ) {
        var sum: Int32 = 0
        for y in rows {
            let row = plane + y * stride
            for x in columns { sum &+= Int32(row[x]) }
        }
        let count = Int32(columns.count * rows.count)
        let mean = UInt8(truncatingIfNeeded: (sum + count / 2) / count)
        for y in rows {
            (plane + y * stride + columns.lowerBound).update(repeating: mean, count: columns.count)
        }
    }
}
