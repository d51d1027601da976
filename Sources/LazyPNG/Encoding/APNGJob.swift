internal import CScanline
internal import LazyMedia

/// One frame on its way from pixels to compressed bytes.
///
/// Unchecked: the planner fills it, then one thread compresses it, then it is written; these follow
/// one another.
final class APNGJob: @unchecked Sendable {
    let changes: cscanline_changes
    /// The rectangle's pixels; nought where a frame is laid over and nothing changed.
    let pixels: [UInt32]
    /// Whether it is laid over what was there, not put in its place (`blend_op`).
    let liesOver: Bool
    /// How long it is shown.
    var delay: APNGDelay
    /// What becomes of it, known when the next frame is.
    var disposal = LayeredCanvas.Disposal.keep
    /// The zlib stream.
    private(set) var bytes: [UInt8] = []
    /// Whether a pixel is nought: left out, or clear.
    private(set) var hasClear = false
    /// Whether it could not be said in the file's mode.
    private(set) var isRefused = false
    /// What went wrong.
    private(set) var failure: MediaError?

    init(
        _ changes: cscanline_changes, of bitmap: Bitmap, over base: Bitmap?, delay: APNGDelay
    ) {
        self.changes = changes
        self.delay = delay
        liesOver = base != nil
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

    /// Compresses the pixels, whatever comes of it.
    func compress(_ mode: APNGMode, _ effort: APNGEffort) {
        do throws(MediaError) {
            let scanlines = try APNGScanlines(pixels, width: changes.width, mode)
            guard !scanlines.isRefused else { return isRefused = true }
            hasClear = pixels.contains(0)
            bytes = try scanlines.compressed(effort)
        } catch {
            failure = error
        }
    }

    /// About how many bytes it will take; nil where the mode cannot say it.
    func estimate(_ mode: APNGMode, _ effort: APNGEffort) throws(MediaError) -> Int? {
        let scanlines = try APNGScanlines(pixels, width: changes.width, mode)
        return scanlines.isRefused ? nil : try scanlines.estimate(effort)
    }
}
