/// Holds the fields of a value by one reference, so that handing the value on is cheap.
///
/// A change while the fields are shared makes a copy.
@frozen
@usableFromInline
@propertyWrapper
package struct CopyOnWrite<Fields: Sendable>: Sendable {
    /// Unchecked: written only by `wrappedValue`, while it has one owner.
    @usableFromInline
    final class Box: @unchecked Sendable {
        @usableFromInline var fields: Fields

        @usableFromInline init(_ fields: Fields) { self.fields = fields }
    }

    @usableFromInline var box: Box

    /// Holds fields.
    @inlinable package init(wrappedValue: Fields) { box = Box(wrappedValue) }

    /// The fields.
    @inlinable package var wrappedValue: Fields {
        _read { yield box.fields }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.fields) }
            yield &box.fields
        }
    }

    /// Whether both are the same fields, neither changed since one was made of the other.
    @inlinable package func isIdentical(to other: Self) -> Bool { box === other.box }
}
