public import LazyMedia

extension ImageProcessors {
    /// Applies several processors in order, as one.
    public struct Composition: ImageProcessing, Hashable {
        /// The processors.
        public let processors: [any ImageProcessing]

        /// Creates a processor from several.
        public init(_ processors: [any ImageProcessing]) {
            self.processors = processors
            // With lengths, so that one identifier cannot equal those of several.
            identifier =
                "lazyimg/composition?"
                + processors.map { "(\($0.identifier.utf8.count):\($0.identifier))" }.joined()
        }

        /// The identifiers of all processors.
        public let identifier: String

        /// The output size of the last processor.
        public func outputSize(for size: PixelSize) -> PixelSize {
            processors.reduce(size) { $1.outputSize(for: $0) }
        }

        /// Applies the processors in order.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            var result = bitmap
            for processor in processors {
                result = try processor.process(result, context: context)
            }
            return result
        }
    }

    /// A processor that calls a closure.
    public struct Anonymous: ImageProcessing, Hashable {
        /// The identifier; processors with the same identifier count as the same work.
        public let identifier: String
        private let size: @Sendable (PixelSize) -> PixelSize
        private let work: @Sendable (Bitmap, ProcessingContext) throws -> Bitmap

        /// Creates a processor; without `size`, the output size is that of the processed poster.
        public init(
            id: String, size: @escaping @Sendable (PixelSize) -> PixelSize = { $0 },
            _ work: @escaping @Sendable (Bitmap, ProcessingContext) throws -> Bitmap
        ) {
            identifier = id
            self.size = size
            self.work = work
        }

        /// The output size, from the closure `size`.
        public func outputSize(for size: PixelSize) -> PixelSize { self.size(size) }

        /// Calls the closure.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            do { return try work(bitmap, context) } catch { throw ProcessingError(of: error) }
        }
    }
}
