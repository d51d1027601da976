internal import FoundationEssentials
internal import LazyBase

/// The metadata of an entry of `CachingLoader`: the response and the list of variants.
package struct CacheRecord: Hashable, Sendable {
    /// The response whose body the entry contains; nil if the entry only lists variants.
    package var response: StoredResponse?
    /// The names of the fields by which responses of this URL vary, one list for each `Vary`.
    package var variants: [[String]]
    /// The identifiers of requests for this response.
    package var identifiers: [String]

    /// Makes a record.
    package init(
        response: StoredResponse?, variants: [[String]] = [], identifiers: [String] = []
    ) {
        self.response = response
        self.variants = variants
        self.identifiers = identifiers
    }

    /// Adds an identifier unless there are too many; returns whether it is new.
    mutating func note(_ identifier: String?) -> Bool {
        guard let identifier, !identifiers.contains(identifier), identifiers.count < 16 else {
            return false
        }
        identifiers.append(identifier)
        return true
    }

    /// Parses a record; nil if the bytes are malformed or of another version.
    package init?(metadata: [UInt8]) {
        var reader = RecordReader(metadata)
        guard reader.take(Self.signature.count).map(Array.init) == Self.signature,
            let lists = reader.number(), (0...64).contains(lists)
        else { return nil }
        variants = []
        identifiers = []
        for _ in 0..<lists {
            guard let names = reader.texts() else { return nil }
            variants.append(names)
        }
        guard let hasResponse = reader.number() else { return nil }
        if hasResponse == 0 { return }
        guard let response = StoredResponse(from: &reader) else { return nil }
        self.response = response
        identifiers = reader.texts() ?? []
        // Records of former versions end before it.
        self.response?.isPrivate = reader.number() == 1
    }

    /// The bytes of the record.
    package var metadata: [UInt8] {
        var writer = RecordWriter(bytes: Self.signature)
        writer.add(variants.count)
        for names in variants { writer.add(names) }
        writer.add(response == nil ? 0 : 1)
        response?.write(to: &writer)
        let isPrivate = response?.isPrivate ?? false
        if !identifiers.isEmpty || isPrivate { writer.add(identifiers) }
        if isPrivate { writer.add(1) }
        return writer.bytes
    }

    private static let signature = Array("LZR1".utf8)
}

extension StoredResponse {
    fileprivate init?(from reader: inout RecordReader) {
        guard let address = reader.text(), let url = URL(string: address),
            let status = reader.number(), let headers = reader.texts(),
            let selecting = reader.texts(), let requestTime = reader.number(),
            let responseTime = reader.number(), let wholeCount = reader.number(),
            let isIdentityCoded = reader.number(),
            [requestTime, responseTime].allSatisfy({ $0.magnitude < 1 << 53 })
        else { return nil }
        self.init(
            url: url, status: status, headers: HTTPHeaders(pairs: headers),
            selectingHeaders: HTTPHeaders(pairs: selecting),
            requestTime: WallTime(milliseconds: Int64(requestTime)),
            responseTime: WallTime(milliseconds: Int64(responseTime)),
            wholeCount: wholeCount < 0 ? nil : wholeCount, isIdentityCoded: isIdentityCoded != 0)
    }

    fileprivate func write(to writer: inout RecordWriter) {
        writer.add(url.absoluteString)
        writer.add(status)
        writer.add(headers.fields.flatMap { [$0.name, $0.value] })
        writer.add(selectingHeaders.fields.flatMap { [$0.name, $0.value] })
        writer.add(Int(requestTime.milliseconds))
        writer.add(Int(responseTime.milliseconds))
        writer.add(wholeCount ?? -1)
        writer.add(isIdentityCoded ? 1 : 0)
    }
}

extension HTTPHeaders {
    fileprivate init(pairs: [String]) {
        self.init()
        for place in stride(from: 0, to: pairs.count - 1, by: 2) {
            add(pairs[place], pairs[place + 1])
        }
    }
}

private struct RecordWriter {
    var bytes: [UInt8]

    mutating func add(_ number: Int) {
        withUnsafeBytes(of: Int64(number).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ text: String) {
        add(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func add(_ texts: [String]) {
        add(texts.count)
        for text in texts { add(text) }
    }
}

private struct RecordReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number() -> Int? {
        guard let bytes = take(8) else { return nil }
        let pattern = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(Int64(bitPattern: pattern))
    }

    mutating func text() -> String? {
        guard let count = number(), let bytes = take(count) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func texts() -> [String]? {
        guard let count = number(), count >= 0, count <= rest.count / 8 else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = text() else { return nil }
            texts.append(text)
        }
        return texts
    }
}
