internal import CFFmpeg
internal import LazyMedia

/// Halves pictures before they are scaled to a quarter or less: each sample is the mean of four.
///
/// The cost of swscale's bicubic filter grows with the rows and with the samples that become one. From a picture that
/// is still twice as large as what is wanted, it makes in a third of the time one as sharp as of the whole picture
/// (SSIM 0.999). libvips shrinks pictures for thumbnails in the same two steps.
final class PictureHalver {
    /// One plane: where its rows begin, how far they are apart, and its size.
    private struct Plane {
        var start = 0
        var stride: Int
        var width: Int
        var height: Int

        /// The plane of half the size; the last of an odd number of samples is repeated.
        func halved(from start: Int) -> Plane {
            let width = (width + 1) / 2
            return Plane(
                start: start, stride: (width + 63) & ~63, width: width, height: (height + 1) / 2)
        }

        var end: Int { start + stride * height }
    }

    /// The smallest side of a target: swscale cuts filters that are longer than the few samples of a halved row.
    private static let smallestSide = 16

    /// The size of the halved pictures.
    let size: PixelSize
    // The planes of the source, and of each picture that is half of the one before.
    private let steps: [[Plane]]
    private let picture: Picture
    private var memory = ScratchRows()

    /// Makes one for 8-bit 4:2:0 pictures of a size; nil where they are not large enough.
    init?(from source: PixelSize, to target: PixelSize) throws(MediaError) {
        guard min(target.width, target.height) >= Self.smallestSide else { return nil }
        var size = source
        var steps = [
            (0..<3).map { plane in
                let half = plane == 0 ? 0 : 1
                let width = (source.width + half) >> half
                return Plane(
                    stride: width, width: width, height: (source.height + half) >> half)
            }
        ]
        var end = 0
        while size.width % 2 == 0, size.height % 2 == 0, size.width >= 4 * target.width,
            size.height >= 4 * target.height,
            let half = PixelSize(checking: size.width / 2, size.height / 2)
        {
            size = half
            steps.append(
                (steps.last ?? []).map { plane in
                    let half = plane.halved(from: end)
                    end = half.end
                    return half
                })
        }
        guard steps.count > 1 else { return nil }
        (self.size, self.steps) = (size, steps)
        picture = try Picture()
    }

    /// The halved picture; valid until the next one.
    func halve(
        _ frame: UnsafeMutablePointer<AVFrame>
    ) throws(MediaError) -> UnsafeMutablePointer<AVFrame> {
        let end = steps.last?.last?.end ?? 0
        let rows = try memory.room(byteCount: end).assumingMemoryBound(to: UInt8.self)
        for number in 0..<3 {
            guard let first = lz_plane(frame, CInt(number)) else { continue }
            var source = first
            var stride = Int(lz_plane_stride(frame, CInt(number)))
            for (whole, half) in zip(steps, steps.dropFirst()) {
                let target = rows + half[number].start
                Self.halve(source, stride: stride, whole[number], to: target, half[number])
                (source, stride) = (UnsafePointer(target), half[number].stride)
            }
        }
        let planes = steps.last ?? []
        let halved = picture.pointer
        halved.pointee.width = CInt(size.width)
        halved.pointee.height = CInt(size.height)
        halved.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        lz_frame_lend(
            halved, rows, planes.map { Int64($0.start) }, planes.map { CInt($0.stride) })
        return halved
    }

    private static func halve(
        _ source: UnsafePointer<UInt8>, stride: Int, _ whole: Plane,
        to target: UnsafeMutablePointer<UInt8>, _ half: Plane
    ) {
        for y in 0..<half.height {
            let upper = source + 2 * y * stride
            let lower = 2 * y + 1 < whole.height ? upper + stride : upper
            halveRows(upper, lower, width: whole.width, to: target + y * half.stride)
        }
    }

    private static func halveRows(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, width: Int,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        let (above, below) = (UnsafeRawPointer(upper), UnsafeRawPointer(lower))
        let low = SIMD8<UInt16>(repeating: 0xFF)
        var x = 0
        while 2 &* x &+ 16 <= width {
            let one = above.loadUnaligned(fromByteOffset: 2 &* x, as: SIMD8<UInt16>.self)
            let other = below.loadUnaligned(fromByteOffset: 2 &* x, as: SIMD8<UInt16>.self)
            let sum = (one & low) &+ (one &>> 8) &+ (other & low) &+ (other &>> 8) &+ 2
            UnsafeMutableRawPointer(target + x).storeBytes(
                of: SIMD8<UInt8>(truncatingIfNeeded: sum &>> 2), as: SIMD8<UInt8>.self)
            x &+= 8
        }
        while 2 &* x < width {
            let right = min(2 &* x &+ 1, width &- 1)
            let left = UInt16(upper[2 &* x]) &+ UInt16(lower[2 &* x])
            let sum = left &+ UInt16(upper[right]) &+ UInt16(lower[right]) &+ 2
            target[x] = UInt8(truncatingIfNeeded: sum &>> 2)
            x &+= 1
        }
    }
}
