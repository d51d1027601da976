/// What a frame is written as.
package enum FrameFormat: String, CaseIterable, Sendable {
    case png, ppm, raw, framehash, null
}
