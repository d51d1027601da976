internal import LazyMedia

/// The pixels at which the crop of a fit begins: the one place with the rule of even pixels.
///
/// Encoders that store chroma at half the resolution read planes, in which only every second pixel has
/// a chroma sample. Cropped between two samples, planes would have to be converted to RGBA and back.
/// So frames that are read with planes are cropped at even pixels, all others at any: the results are at
/// most one pixel apart. `--crop` is exact in any case: where it begins between two samples, its frames
/// have no planes.
package enum CropAlignment: Hashable, Sendable {
    /// Any pixel.
    case pixel
    /// Even pixels.
    case chroma

    /// The alignment for a reader.
    init(_ options: ReaderOptions) { self = options.planes ? .chroma : .pixel }

    /// The first pixel that is kept, as near to an offset as the edges allow.
    func start(_ offset: Double, max last: Int) -> Int {
        switch self {
        case .pixel: min(last, max(0, Int(offset)))
        case .chroma where offset < Double(last): max(0, Int(offset.rounded())) & ~1
        case .chroma: last & ~1
        }
    }
}
