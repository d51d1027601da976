public import LazyMedia

extension ImageProcessors {
    /// Several processors as one, in order.
    public struct Composition: ImageProcessing {
        /// The processors.
        public let processors: [any ImageProcessing]

        /// Makes a processor of several.
        public init(_ processors: [any ImageProcessing]) { self.processors = processors }

        /// The identifiers of all.
        public var identifier: String {
            // Each behind its length: no name of one looks like those of several.
            "lazyimg/composition?"
                + processors.map { "(\($0.identifier.utf8.count):\($0.identifier))" }.joined()
        }

        /// The size behind the last one.
        public func outputSize(for size: PixelSize) -> PixelSize {
            processors.reduce(size) { $1.outputSize(for: $0) }
        }

        /// Applies one after the other.
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

    /// A closure as a processor, known by an identifier of one's own.
    public struct Anonymous: ImageProcessing {
        /// What it is known by; two of one identifier are taken for the same work.
        public let identifier: String
        private let size: @Sendable (PixelSize) -> PixelSize
        private let work: @Sendable (Bitmap, ProcessingContext) throws -> Bitmap

        /// Makes a processor; where `size` is not given, the size is that which the poster gets.
        public init(
            id: String, size: @escaping @Sendable (PixelSize) -> PixelSize = { $0 },
            _ work: @escaping @Sendable (Bitmap, ProcessingContext) throws -> Bitmap
        ) {
            identifier = id
            self.size = size
            self.work = work
        }

        /// What the closure for the size says.
        public func outputSize(for size: PixelSize) -> PixelSize { self.size(size) }

        /// Calls the closure.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            do {
                return try work(bitmap, context)
            } catch let error as ProcessingError {
                throw error
            } catch {
                throw ProcessingError("The processor failed: \(error)", underlying: error)
            }
        }
    }
}
