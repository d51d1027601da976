import LazyIsolation
import LazyKit
import LazyMedia

/// A clip that is decoded here and in processes of their own.
struct Bench {
    let clip: String
    let count: Int
    let host = DecoderHost()

    var isolated: DecoderRegistry { .standard.isolated(by: host) }

    func milliseconds(_ work: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try work()
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// A number with two decimals.
    func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    /// The first frame in a width of 320.
    func poster(_ registry: DecoderRegistry) throws {
        let media = try registry.open(FileBytes(path: clip), limits: .local)
        let size = TargetSize(width: 320).scaledSize(of: media.info.size)
        let reader = try media.makeReader(
            ReaderOptions(size: size, limits: .local, isSingleFrame: true))
        let frame = try reader.nextFrame()
        precondition(frame != nil)
    }
}
