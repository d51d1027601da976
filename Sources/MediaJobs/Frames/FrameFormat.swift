/// The formats of frames.
package enum FrameFormat: String, CaseIterable, Sendable {
    case png, ppm, raw, framehash, null
}
