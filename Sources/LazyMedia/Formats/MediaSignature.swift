/// How bytes of a type are recognized by their beginning.
///
/// Containers that several formats share (RIFF, EBML, ISO base media) are walked by `MediaSniffer`;
/// a format says which of their names are its own.
public struct MediaSignature: Sendable {
    /// Tells the type from a beginning that matched, or how many bytes are needed for that.
    public typealias Refinement = @Sendable (RawSpan) -> MediaType.Sniffed

    /// Tells whether bytes are of a type, reading as many of them as it needs.
    public typealias Whole = @Sendable (any ByteSource) throws(MediaError) -> Bool

    enum Test: Sendable {
        case bytes([UInt8])
        case form(String)
        case documentType(String?)
        case brand(String)
        case commonBrand(String)
        case otherBrands
        case firstBox(String)
        case beginning
        case late
        case whole(MediaType, Whole)
    }

    let test: Test
    /// The type, also where a refinement asks for more bytes than there are.
    let type: MediaType
    let refinement: Refinement?

    private init(_ test: Test, _ type: MediaType, _ refinement: Refinement? = nil) {
        self.test = test
        self.type = type
        self.refinement = refinement
    }

    /// The bytes that a file begins with.
    public static func bytes(
        _ bytes: [UInt8], _ type: MediaType, _ refinement: Refinement? = nil
    ) -> Self {
        Self(.bytes(bytes), type, refinement)
    }

    /// The ASCII text that a file begins with.
    public static func text(_ text: String, _ type: MediaType) -> Self {
        Self(.bytes(Array(text.utf8)), type)
    }

    /// A form of RIFF: the four letters at offset 8.
    public static func riff(
        _ form: String, _ type: MediaType, _ refinement: Refinement? = nil
    ) -> Self {
        Self(.form(form), type, refinement)
    }

    /// A `DocType` of EBML (RFC 8794, 11.2.4); nil for those that no other signature names.
    public static func ebml(_ documentType: String?, _ type: MediaType) -> Self {
        Self(.documentType(documentType), type)
    }

    /// A brand of ISO base media (ISO/IEC 14496-12, 4.3).
    public static func brand(_ brand: String, _ type: MediaType) -> Self {
        Self(.brand(brand), type)
    }

    /// A brand that several formats of pictures share; any brand of a picture beside it decides.
    public static func commonBrand(_ brand: String, _ type: MediaType) -> Self {
        Self(.commonBrand(brand), type)
    }

    /// ISO base media of brands that no other signature names.
    public static func otherBrands(_ type: MediaType) -> Self { Self(.otherBrands, type) }

    /// The name of a first box other than `ftyp`.
    public static func firstBox(_ name: String, _ type: MediaType) -> Self {
        Self(.firstBox(name), type)
    }

    /// Whatever no other kind of signature recognizes; `.known(.unknown)` says that it is not this.
    public static func beginning(
        _ type: MediaType, _ refinement: @escaping Refinement
    ) -> Self {
        Self(.beginning, type, refinement)
    }

    /// The same for what need not lie at the beginning; tried last, because such marks occur by chance.
    public static func late(
        _ type: MediaType, _ refinement: @escaping Refinement
    ) -> Self {
        Self(.late, type, refinement)
    }

    /// What begins as files of another type do, and is told by all of its bytes.
    public static func whole(
        _ type: MediaType, beginningAs other: MediaType, _ test: @escaping Whole
    ) -> Self {
        Self(.whole(other, test), type)
    }
}
