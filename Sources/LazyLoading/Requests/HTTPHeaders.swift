/// Header fields in their original order; names are case-insensitive.
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One header field.
    public struct Field: Hashable, Sendable {
        /// The name as it was sent.
        public var name: String
        /// The value without surrounding white space.
        public var value: String

        /// Makes a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields; a name may occur more than once.
    public private(set) var fields: [Field] = []

    /// Makes headers without fields.
    public init() {}

    /// Makes headers of names and values.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// The values of a name joined by commas (RFC 9110, 5.3), or nil; setting replaces them all.
    public subscript(name: String) -> String? {
        get {
            let values = values(of: name)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            fields.removeAll { $0.name.isSameField(as: name) }
            if let newValue { add(name, newValue) }
        }
    }

    /// The values of a name, one a field.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.isSameField(as: name) }.map(\.value)
    }

    /// Appends a field.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }
}

extension String {
    func isSameField(as other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercase == $1.asciiLowercase }
    }
}

extension UInt8 {
    var asciiLowercase: UInt8 { (65...90).contains(self) ? self + 32 : self }
}
