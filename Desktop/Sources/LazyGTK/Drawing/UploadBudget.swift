/// Decides how many new pictures a frame of a window takes; pure.
///
/// A new picture costs the renderer time for each pixel: an upload or a conversion. What a pixel costs
/// is measured while drawing.
package struct UploadBudget: Sendable {
    /// The time of one frame for new pictures.
    package var time: Duration
    /// The estimated cost of a pixel in nanoseconds.
    package private(set) var pixelCost = 13.0
    /// The estimated cost of a frame without new pictures, in nanoseconds.
    package private(set) var frameCost = 0.0
    private var taken = 0
    private var count = 0

    package init(time: Duration = .milliseconds(4)) { self.time = time }

    /// The pixels that fit into a frame.
    package var pixelsPerFrame: Int { Int(Self.nanoseconds(time) / pixelCost) }

    /// A frame begins.
    package mutating func beginFrame() { (taken, count) = (0, 0) }

    /// Takes a picture into this frame if it fits; the first one always does.
    package mutating func takes(pixels: Int) -> Bool {
        guard pixels > 0 else { return true }
        guard count == 0 || taken + pixels <= pixelsPerFrame else { return false }
        taken += pixels
        count += 1
        return true
    }

    /// A frame has been drawn in this time: learns from it.
    package mutating func didDraw(in time: Duration) {
        let cost = Self.nanoseconds(time)
        if taken == 0 {
            frameCost += (cost - frameCost) / 8
        } else {
            // One slow frame says little: the machine may have been busy.
            let measured = max(cost - frameCost, 0) / Double(taken)
            pixelCost += (min(measured, pixelCost * 4) - pixelCost) / 8
            pixelCost = min(max(pixelCost, 1), 100)
        }
    }

    private static func nanoseconds(_ time: Duration) -> Double { time / .nanoseconds(1) }
}
