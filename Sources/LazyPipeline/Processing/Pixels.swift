public import LazyMedia

typealias Pixel = SIMD4<UInt8>

extension ProcessingError {
    /// What failed below, as an error of a processor.
    init(_ error: MediaError) { self.init(error.message, underlying: error) }
}

extension Bitmap {
    /// Makes a picture of this one's pixels: `body` gets them, and writes all of the new ones.
    func makingPixels(
        size: PixelSize, isOpaque: Bool,
        _ body: (UnsafePointer<Pixel>, UnsafeMutablePointer<Pixel>) throws(ProcessingError) -> Void
    ) throws(ProcessingError) -> Bitmap {
        try Self.check(size)
        var failure: ProcessingError?
        do throws(MediaError) {
            let bitmap = try Bitmap(size: size, isOpaque: isOpaque) { output in
                withBytes { input in
                    guard let from = input.bindMemory(to: Pixel.self).baseAddress,
                        let to = output.bindMemory(to: Pixel.self).baseAddress
                    else { return }
                    do throws(ProcessingError) { try body(from, to) } catch { failure = error }
                }
            }
            if let failure { throw failure.asMediaError }
            return bitmap
        } catch {
            throw failure ?? ProcessingError(error)
        }
    }

    /// Refuses what no memory should be asked for, whatever the sequence's own limits are.
    static func check(_ size: PixelSize) throws(ProcessingError) {
        do throws(MediaError) {
            try DecodingLimits.local.check(canvas: size)
        } catch {
            throw ProcessingError(error)
        }
    }
}

extension MediaError.Code {
    /// A processor failed on a frame.
    public static let processingFailed = MediaError.Code(rawValue: "processingFailed")
}

extension ProcessingError {
    /// The same for those who read frames; an error of decoding or a cancellation stays one.
    var asMediaError: MediaError {
        (underlying as? MediaError) ?? MediaError(.processingFailed, message, underlying: self)
    }
}

extension PixelSize {
    /// A size that may be asked for by anybody: sides below 1 become 1, too long ones a limit's.
    init(clamping width: Double, _ height: Double) {
        let most = Double(Int32.max / 8)
        func side(_ length: Double) -> Int {
            length.isNaN ? 1 : Int(min(max(length.rounded(), 1), most))
        }
        self.init(width: side(width), height: side(height))
    }
}

/// A colour with an opacity of its own over a pixel; both of straight alpha.
@inline(__always)
func over(_ top: Pixel, opacity: UInt32, _ below: Pixel) -> Pixel {
    let strength = (UInt32(top.w) * opacity + 127) / 255
    if strength == 0 { return below }
    if strength == 255 { return Pixel(top.x, top.y, top.z, 255) }
    // In 1/255² parts: the top's share and what of the lower one shines through.
    let upper = strength * 255
    let lower = UInt32(below.w) * (255 - strength)
    let sum = upper + lower
    return Pixel(
        mixed(top.x, upper, below.x, lower, sum), mixed(top.y, upper, below.y, lower, sum),
        mixed(top.z, upper, below.z, lower, sum), UInt8(truncatingIfNeeded: (sum + 127) / 255))
}

@inline(__always)
private func mixed(
    _ a: UInt8, _ share: UInt32, _ b: UInt8, _ rest: UInt32, _ sum: UInt32
) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt32(a) * share + UInt32(b) * rest + sum / 2) / sum)
}
