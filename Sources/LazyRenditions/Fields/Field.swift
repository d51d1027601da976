internal import LazyBase

/// A member of a value: its name in JSON and in identifiers, and how its value is written.
///
/// One table of fields is what reads, writes, identifies and describes a value. What was not asked for is left
/// out, which is not the same as what equals a default.
struct Field<Root>: Sendable {
    let name: String
    let summary: String
    /// Makes a JSON schema of the value.
    let schema: @Sendable () -> JSONValue
    /// The value, or nil where it was not asked for.
    let write: @Sendable (Root) -> JSONValue?
    /// Sets the value that a member has.
    let read: @Sendable (inout Root, JSONValue) throws(WordError) -> Void
}

extension Field {
    /// A value that is written in words; nil was not asked for.
    init<Value: Sendable>(
        _ name: String, _ path: any (WritableKeyPath<Root, Value?> & Sendable),
        _ grammar: Grammar<Value>, _ summary: String
    ) {
        self.init(
            name: name, summary: summary, schema: { grammar.schema },
            write: { root in root[keyPath: path].map(grammar.json) },
            read: { (root, json) throws(WordError) in
                root[keyPath: path] = try grammar.value(json)
            })
    }

    /// A value that is written in words, and was not asked for where it equals another.
    init<Value: Equatable & Sendable>(
        _ name: String, _ path: any (WritableKeyPath<Root, Value> & Sendable), unless usual: Value,
        _ grammar: Grammar<Value>, _ summary: String
    ) {
        self.init(
            name: name, summary: summary, schema: { grammar.schema },
            write: { root in
                let value = root[keyPath: path]
                return value == usual ? nil : grammar.json(value)
            },
            read: { (root, json) throws(WordError) in
                root[keyPath: path] = try grammar.value(json)
            })
    }

    /// A switch, which is off unless asked for.
    init(_ name: String, _ path: any (WritableKeyPath<Root, Bool> & Sendable), _ summary: String) {
        self.init(
            name: name, summary: summary, schema: { JSONValue.booleanSchema },
            write: { root in root[keyPath: path] ? .bool(true) : nil },
            read: { (root, json) throws(WordError) in
                root[keyPath: path] = try json.boolean()
            })
    }

    /// A value with fields of its own, which is left out where none of them was asked for.
    init<Value>(
        _ name: String, _ path: any (WritableKeyPath<Root, Value> & Sendable),
        _ fields: [Field<Value>],
        _ summary: String
    ) {
        self.init(
            name: name, summary: summary, schema: { fields.schema() },
            write: { root in
                let members = fields.members(of: root[keyPath: path])
                return members.isEmpty ? nil : .object(members)
            },
            read: { (root, json) throws(WordError) in
                try fields.read(json, into: &root[keyPath: path])
            })
    }
}

extension Field {
    /// The field of a value that another one has.
    func within<Outer>(_ path: any (WritableKeyPath<Outer, Root> & Sendable)) -> Field<Outer> {
        let (write, read) = (write, read)
        return Field<Outer>(
            name: name, summary: summary, schema: schema, write: { write($0[keyPath: path]) },
            read: { (outer, json) throws(WordError) in try read(&outer[keyPath: path], json) })
    }
}

extension Array {
    /// The members of a value that were asked for, in the order of the table.
    func members<Root>(of root: Root) -> [(String, JSONValue)] where Element == Field<Root> {
        compactMap { field in field.write(root).map { (field.name, $0) } }
    }

    /// Reads an object; throws for a member that no field has, with the nearest name.
    func read<Root>(
        _ json: JSONValue, into root: inout Root
    ) throws(WordError) where Element == Field<Root> {
        for (name, value) in try json.members() {
            guard let field = first(where: { $0.name == name }) else {
                let names = map(\.name)
                throw WordError(
                    "the members are \(names.joined(separator: ", "))", given: name,
                    nearest: Suggestion.nearest(name, among: names))
            }
            do throws(WordError) { try field.read(&root, value) } catch {
                throw WordError("\(name): \(error.expected)", given: error.given)
            }
        }
    }

    /// A JSON schema of an object with these members.
    func schema<Root>() -> JSONValue where Element == Field<Root> {
        let members = map { field -> (String, JSONValue) in
            let own = field.schema()
            guard case .object(let schema) = own else { return (field.name, own) }
            return (field.name, .object([("description", .string(field.summary))] + schema))
        }
        return .object([
            ("type", .string("object")), ("properties", .object(members)),
            ("additionalProperties", .bool(false)),
        ])
    }
}
