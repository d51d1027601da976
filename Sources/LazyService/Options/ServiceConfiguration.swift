internal import LazyEditing
internal import LazyLoading
public import LazyMedia
internal import LazyRenditions

/// What a service answers, and how.
public struct ServiceConfiguration: Sendable {
    /// The keys that sign paths.
    public var signature = URLSignature()
    /// What precedes the signature in every path, such as `/previews`; empty or with a slash in front.
    public var pathPrefix = ""
    /// How long clients and caches keep a result whose source has no age, in seconds.
    public var lifetime = 31_536_000
    /// How long they may use a result that is too old while it is asked for again, and where that fails, in seconds.
    public var staleLifetime = 86_400
    /// How many results are made at once.
    public var running = 4
    /// How many requests wait for that; more of them get 503.
    public var queued = 16
    /// How long a client waits; then it gets 504.
    public var deadline = Duration.seconds(10)
    /// How long a result is still made after that, so that the next request finds the result.
    public var grace = Duration.seconds(30)
    /// Whether results are meant to be saved rather than shown, unless a path says otherwise.
    public var isAttachment = false
    /// The most bytes of an uploaded file.
    public var uploadBytes = 200_000_000
    /// What a client may have in place of a signature to upload a file: `Authorization: Bearer …`; nil for nothing.
    public var uploadToken: String?
    /// The origin whose pages may read answers (`Access-Control-Allow-Origin`), `*` for all; nil for none.
    public var allowedOrigin: String?
    /// Whether sources are loaded from `http`, `https` and `s3` addresses.
    public var loadsRemote = true

    var options = OptionRules()
    var addresses = AddressRules()
    var rules = RenditionRules()

    /// Makes the usual configuration, which has no keys.
    public init() {}
}

extension ServiceConfiguration {
    /// Adds a preset, written as `name=option:…/option:…`; `default` counts for every path.
    ///
    /// Empty lines and those that begin with `#` are none. Throws a sentence for a malformed one.
    public mutating func addPreset(_ line: String) throws {
        try options.addPreset(line)
        try options.checkPresets()
    }

    /// Whether paths have names of presets in place of options.
    public var allowsOnlyPresets: Bool {
        get { options.allowsOnlyPresets }
        set { options.allowsOnlyPresets = newValue }
    }

    /// The options that paths may have, by any of their names; nil for all.
    public var allowedOptions: [String]? {
        get { options.allowed.map { $0.sorted() } }
        set { options.allowed = newValue.map { Set($0.map { OptionForms.form($0)?.name ?? $0 }) } }
    }

    /// Whether paths may bound the size of sources and results.
    public var allowsBounds: Bool {
        get { options.allowsBounds }
        set { options.allowsBounds = newValue }
    }

    /// What separates options from their arguments; a colon.
    public var argumentSeparator: Character {
        get { options.separator }
        set { options.separator = newValue }
    }

    /// Whether the last part of an encoded source is a name for people.
    public var endsWithFileName: Bool {
        get { options.endsWithFileName }
        set { options.endsWithFileName = newValue }
    }

    /// The beginnings of addresses that are loaded, or none for all.
    ///
    /// A star stands for any characters but slashes.
    public var allowedSources: [String] {
        get { addresses.allowed }
        set { addresses.allowed = newValue }
    }

    /// Whether objects of S3 are sources, which ``S3Storage`` loads.
    public var loadsS3: Bool {
        get { addresses.schemes.contains("s3") }
        set {
            if newValue { addresses.schemes.insert("s3") } else { addresses.schemes.remove("s3") }
        }
    }

    /// What is put before the address of a path.
    public var baseAddress: String {
        get { addresses.base }
        set { addresses.base = newValue }
    }

    /// Adds a rule for addresses: what matches an expression is replaced by a text, `${1}` for a group.
    ///
    /// Throws a sentence where the expression is none.
    public mutating func addReplacement(of pattern: String, by text: String) throws {
        addresses.replacements.append(try .init(of: pattern, by: text))
    }

    /// The timestamp of films in seconds where a path names none; nil for their best picture.
    public var videoSecond: Double? {
        get { rules.videoSecond }
        set { rules.videoSecond = newValue }
    }

    /// The most frames of animations; nil for all, 1 for a still of each.
    public var animationFrames: Int? {
        get { rules.bounds.frames }
        set { rules.bounds.frames = newValue }
    }

    /// The most pixels of a source in millions; nil for the bounds of the decoders.
    public var sourceMegapixels: Double? {
        get { rules.bounds.megapixels }
        set { rules.bounds.megapixels = newValue }
    }

    /// The most bytes of a source; nil for those of the pipeline.
    public var sourceBytes: Int? {
        get { rules.bounds.byteCount }
        set { rules.bounds.byteCount = newValue }
    }

    /// The most pixels of a side of a result.
    public var longestSide: Int {
        get { rules.longestSide }
        set { rules.longestSide = newValue }
    }

    /// Whether AVIF is made of stills for clients that name it, where a path names no format.
    public var prefersAVIF: Bool {
        get { rules.prefersAVIF }
        set { rules.prefersAVIF = newValue }
    }

    /// Whether WebP is made for clients that name it, where a path names no format.
    public var prefersWebP: Bool {
        get { rules.prefersWebP }
        set { rules.prefersWebP = newValue }
    }

    /// Sets the picture of watermarks, and how opaque it is where a path says 1; nil for none.
    ///
    /// Without a picture the option `wm` has no effect.
    public mutating func setWatermark(_ picture: Bitmap?, opacity: Double = 1) {
        rules.watermark = picture.map { PictureOverlay($0, opacity: min(max(opacity, 0), 1)) }
    }

    /// Whether the source is sent where it is what was asked for and the result has more bytes.
    public var sendsSource: Bool {
        get { rules.sendsSource }
        set { rules.sendsSource = newValue }
    }
}

extension ServiceConfiguration {
    /// Whether an address is loaded, such as that of a redirect.
    public func allows(_ address: String) -> Bool {
        let isRemote = ["http", "s3:"].contains { address.lowercased().hasPrefix($0) }
        return (try? addresses.check(address)) != nil && (loadsRemote || !isRemote)
    }
}
