internal import CKernels
internal import LazyMedia

/// The compression of one frame.
///
/// Unchecked: the planner fills it, then one thread compresses it, then it is written; these do not
/// overlap.
final class APNGJob: @unchecked Sendable {
    let changes: cscanline_changes
    /// The rectangle's pixels; 0 where a blended frame changes nothing.
    let pixels: [UInt32]
    /// Whether it is blended over the canvas (`blend_op`).
    let isBlended: Bool
    /// How long it is shown.
    var delay: APNGDelay
    /// Its disposal (`dispose_op`), known once the next frame is.
    var disposal = LayeredCanvas.Disposal.keep
    /// The zlib stream.
    private(set) var bytes: [UInt8] = []
    /// Whether a pixel is 0, that is transparent.
    private(set) var hasClear = false
    /// Whether the file's mode cannot represent it.
    private(set) var isUnrepresentable = false
    /// The error, if any.
    private(set) var failure: MediaError?

    init(
        _ changes: cscanline_changes, of bitmap: Bitmap, over base: Bitmap?, delay: APNGDelay
    ) {
        self.changes = changes
        self.delay = delay
        isBlended = base != nil
        let width = bitmap.size.width
        let offset = changes.y * width + changes.x
        pixels = [UInt32](unsafeUninitializedCapacity: changes.width * changes.height) {
            guard let output = $0.baseAddress else { return }
            bitmap.withPixels { pixels in
                if let base {
                    base.withPixels {
                        cscanline_take_rect(
                            $0 + offset, pixels + offset, width, changes.width, changes.height,
                            output)
                    }
                } else {
                    cscanline_take_rect(
                        nil, pixels + offset, width, changes.width, changes.height, output)
                }
            }
            $1 = changes.width * changes.height
        }
    }

    /// Compresses the pixels, and keeps the result or the error.
    func compress(_ mode: APNGMode, _ effort: APNGEffort) {
        do throws(MediaError) {
            let scanlines = try APNGScanlines(pixels, width: changes.width, mode)
            guard !scanlines.isUnrepresentable else { return isUnrepresentable = true }
            hasClear = pixels.contains(0)
            bytes = try scanlines.compressed(effort)
        } catch {
            failure = error
        }
    }

    /// An estimate of its bytes; nil where the mode cannot represent it.
    func estimate(_ mode: APNGMode, _ effort: APNGEffort) throws(MediaError) -> Int? {
        let scanlines = try APNGScanlines(pixels, width: changes.width, mode)
        return scanlines.isUnrepresentable ? nil : try scanlines.estimate(effort)
    }
}
