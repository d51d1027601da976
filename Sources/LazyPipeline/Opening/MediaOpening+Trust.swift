public import LazyMedia

extension MediaOpening {
    /// Whose media it is: limits, and the process that decodes, follow from it and from the kind of source.
    ///
    /// What does not come from a file of this machine is a stranger's, whatever it says.
    public struct Trust: Hashable, Sendable {
        /// Whose it is.
        public enum Origin: String, CaseIterable, Sendable {
            /// The user's own files; URLs and pipes are strangers'.
            case own
            /// Strangers', such as what a page shows.
            case stranger
            /// Uploads of those who may mean harm.
            case untrusted
        }
        /// When it is decoded in processes of their own.
        public enum Isolation: String, CaseIterable, Sendable {
            /// Where it is a stranger's, where many are opened, and where that costs no start.
            case auto
            /// Always.
            case always
            /// Never: a fault in a decoder is a fault of this process.
            case never
        }

        /// Whose it is.
        public var origin: Origin
        /// When it is decoded in a process of its own.
        public var isolation: Isolation
        /// Whether many are opened, which nobody has looked at one by one.
        public var opensMany: Bool
        /// The limits for files of this machine, and for everything else.
        public var limits: (files: DecodingLimits, others: DecodingLimits) {
            get { (fileLimits, otherLimits) }
            set { (fileLimits, otherLimits) = newValue }
        }
        private var fileLimits: DecodingLimits
        private var otherLimits: DecodingLimits

        /// Trusts media of an origin, with its limits.
        public init(_ origin: Origin, isolation: Isolation = .auto, opensMany: Bool = false) {
            self.origin = origin
            self.isolation = isolation
            self.opensMany = opensMany
            switch origin {
            case .own: (fileLimits, otherLimits) = (.local, .web)
            case .stranger: (fileLimits, otherLimits) = (.web, .web)
            case .untrusted: (fileLimits, otherLimits) = (.untrusted, .untrusted)
            }
        }

        /// The limits for a file, or for what comes from elsewhere.
        public func limits(isFile: Bool) -> DecodingLimits { isFile ? fileLimits : otherLimits }

        /// Where a file, or what comes from elsewhere, is decoded.
        func place(isFile: Bool, hasSharedDecoder: () -> Bool) -> Place {
            let isIsolated =
                switch isolation {
                case .always: true
                case .never: false
                case .auto: origin != .own || !isFile || opensMany || hasSharedDecoder()
                }
            guard isIsolated else { return .here }
            if origin == .untrusted { return .untrusted }
            return opensMany ? .pooled : .isolated
        }
    }

    /// Where media is decoded.
    public enum Place: String, CaseIterable, Sendable {
        /// In this process.
        case here
        /// In a process of its own for each media.
        case isolated
        /// The same, with processes ready for the next.
        case pooled
        /// In a process of its own that needs every layer of isolation.
        case untrusted
    }

    /// The decoders of a place.
    public struct Decoders: Sendable {
        /// The decoders, and what changes the loop of files.
        public var registry: DecoderRegistry
        /// Makes decoders for the parts of one list, which one process may decode in turn.
        public var forOneList: @Sendable () -> DecoderRegistry
        /// Starts what decodes types, so that it is ready when their bytes are there.
        public var prepare: @Sendable ([MediaType]) -> Void

        /// Makes a description of decoders; without more they are those of this process.
        public init(
            _ registry: DecoderRegistry,
            forOneList: (@Sendable () -> DecoderRegistry)? = nil,
            prepare: @escaping @Sendable ([MediaType]) -> Void = { _ in }
        ) {
            self.registry = registry
            self.forOneList = forOneList ?? { registry }
            self.prepare = prepare
        }
    }
}
