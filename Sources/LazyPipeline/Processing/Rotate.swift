internal import LazyEditing
public import LazyMedia

extension ImageProcessors {
    /// Rotates images clockwise; the canvas grows to contain the whole image.
    ///
    /// Quarter turns are exact. Other angles interpolate between neighboring pixels; edges are
    /// anti-aliased, and the corners are transparent.
    public struct Rotate: ImageProcessing, Hashable {
        /// Degrees clockwise, from 0 up to but not including 360.
        public var degrees: Double { rotation.degrees }
        private let rotation: Rotation
        /// `lazyimg/rotate` with the angle.
        public let identifier: String

        /// Creates a processor; the angle is reduced to one turn.
        public init(degrees: Double) {
            rotation = Rotation(degrees: degrees)
            identifier = "lazyimg/rotate?d=\(rotation.degrees)"
        }

        /// The size of the bounding box of the rotated image.
        public func outputSize(for size: PixelSize) -> PixelSize { step.outputSize(for: size) }

        /// Rotates an image.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap { try step.processed(bitmap) }

        private var step: EditStep { .turn(Turn(degrees: degrees)) }
    }

    /// Flips images.
    public struct Flip: ImageProcessing, Hashable {
        /// The direction of the flip.
        public enum Axis: String, CaseIterable, Sendable {
            /// Exchanges left and right.
            case horizontal
            /// Exchanges top and bottom.
            case vertical
        }

        /// The direction.
        public let axis: Axis

        /// Creates a processor.
        public init(_ axis: Axis) { self.axis = axis }

        /// `lazyimg/flip` with the direction.
        public var identifier: String { "lazyimg/flip?a=\(axis.rawValue)" }

        /// Returns the size unchanged.
        public func outputSize(for size: PixelSize) -> PixelSize { size }

        /// Flips an image.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            let turn = Turn(isMirrored: axis == .horizontal, isFlipped: axis == .vertical)
            return try EditStep.turn(turn).processed(bitmap)
        }
    }
}
