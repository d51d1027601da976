import Testing

@testable import LazyBase

@Suite struct JSONValueTests {
    @Test func `a line preserves the order of its keys`() {
        let value = JSONValue.object([
            ("b", .integer(-1)), ("a", .array([.null, .bool(true), .number(0.5), .number(.nan)])),
            ("text", .string("q\" b\\ n\n t\t \u{1} \u{7F} é ✓")), ("none", .object([])),
        ])
        #expect(
            value.line
                == #"{"b": -1, "a": [null, true, 0.5, null], "text": "q\" b\\ n\n t\t \u0001 \u007f é ✓", "none": {}}"#
        )
    }

    @Test func `a text has one row per line`() {
        let row = JSONValue.object([("x", .integer(1 as Int)), ("y", .object([("z", .null)]))])
        let value = JSONValue.object([
            ("a", .string("b")), ("empty", .array([])), ("rows", .array([row, row])),
            ("numbers", .array([.integer(1 as Int), .integer(2 as Int)])),
        ])
        #expect(
            value.text == """
                {
                  "a": "b",
                  "empty": [],
                  "rows": [
                    {"x": 1, "y": {"z": null}},
                    {"x": 1, "y": {"z": null}}
                  ],
                  "numbers": [1, 2]
                }

                """)
    }

    @Test func `rows that are made when they are written look like others`() {
        let row: @Sendable (Int) -> JSONValue = { .object([("x", .integer($0))]) }
        for count in [0, 1, 3] {
            let made = JSONValue.object([("a", .null), ("rows", .rows(count, row)), ("b", .null)])
            let kept = JSONValue.object([
                ("a", .null), ("rows", .array((0..<count).map(row))), ("b", .null),
            ])
            #expect(made.text == kept.text)
            #expect(made.line == kept.line)
            #expect(JSONValue.array([made, made]).text == JSONValue.array([kept, kept]).text)
        }
    }

    @Test func `a long list is passed on in pieces, until nobody takes more`() {
        final class Taken {
            var pieces: [String] = []
            var made = 0
        }
        nonisolated(unsafe) let taken = Taken()
        let value = JSONValue.object([
            (
                "rows",
                .rows(50_000) { number in
                    taken.made += 1
                    return .object([("number", .integer(number))])
                }
            )
        ])
        value.pieces { piece in
            taken.pieces.append(piece)
            return true
        }
        #expect(taken.pieces.joined() == value.text)
        #expect(taken.pieces.count > 10)
        #expect(taken.pieces.allSatisfy { $0.utf8.count < 70_000 })
        taken.made = 0
        value.pieces { _ in false }
        #expect(taken.made < 5000)
    }

    @Test func `an array of reports indents each`() {
        let report = JSONValue.object([("type", .string("gif")), ("rows", .array([]))])
        #expect(
            JSONValue.array([report, report]).text == """
                [
                  {
                    "type": "gif",
                    "rows": []
                  },
                  {
                    "type": "gif",
                    "rows": []
                  }
                ]

                """)
    }
}
