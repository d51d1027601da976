internal import LazyEditing
public import LazyMedia

extension ImageProcessors {
    /// Turns pictures clockwise; the canvas grows to hold all of them.
    ///
    /// Quarter turns are exact. By other angles pixels are mixed from their neighbours, edges are
    /// smooth, and the corners are transparent.
    public struct Rotate: ImageProcessing, Hashable {
        /// Degrees clockwise, from 0 up to but not including 360.
        public var degrees: Double { rotation.degrees }
        private let rotation: Rotation

        /// Makes a processor; any number of whole turns is taken off.
        public init(degrees: Double) { rotation = Rotation(degrees: degrees) }

        /// `lazyimg/rotate` with the angle.
        public var identifier: String { "lazyimg/rotate?d=\(degrees)" }

        /// The size of the box around the turned picture.
        public func outputSize(for size: PixelSize) -> PixelSize { rotation.size(of: size) }

        /// Turns a picture.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            try Bitmap.check(outputSize(for: bitmap.size))
            return try ProcessingError.mapping { () throws(MediaError) in
                try bitmap.rotated(by: rotation)
            }
        }
    }

    /// Mirrors pictures.
    public struct Flip: ImageProcessing, Hashable {
        /// The direction in which pixels change places.
        public enum Axis: String, CaseIterable, Sendable {
            /// Left and right change places.
            case horizontal
            /// Top and bottom change places.
            case vertical
        }

        /// The direction.
        public let axis: Axis

        /// Makes a processor.
        public init(_ axis: Axis) { self.axis = axis }

        /// `lazyimg/flip` with the direction.
        public var identifier: String { "lazyimg/flip?a=\(axis.rawValue)" }

        /// The same size.
        public func outputSize(for size: PixelSize) -> PixelSize { size }

        /// Mirrors a picture.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            let turns = axis == .vertical ? 2 : 0
            return try ProcessingError.mapping { () throws(MediaError) in
                try bitmap.oriented(Orientation(quarterTurns: turns, isMirrored: true))
            }
        }
    }
}
