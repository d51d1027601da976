import LazyBase
import Testing

@Suite struct CopyOnWriteTests {
    private struct Point: Sendable {
        struct Fields: Sendable {
            var x: Int
            var names: [String] = []
        }

        @CopyOnWrite var fields: Fields

        func isIdentical(to other: Point) -> Bool { _fields.isIdentical(to: other._fields) }
    }

    @Test func `a changed copy leaves the other one as it was`() {
        let one = Point(fields: .init(x: 1))
        var two = one
        #expect(two.isIdentical(to: one))
        two.fields.x = 2
        two.fields.names.append("two")
        #expect(one.fields.x == 1 && one.fields.names.isEmpty)
        #expect(two.fields.x == 2 && two.fields.names == ["two"])
        #expect(!two.isIdentical(to: one))
    }

    @Test func `copies are identical until one of them changes`() {
        var one = Point(fields: .init(x: 1))
        let before = one
        #expect(before.isIdentical(to: one))
        one.fields.x = 1
        #expect(!before.isIdentical(to: one))
    }
}
