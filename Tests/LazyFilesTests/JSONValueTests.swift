import Testing

@testable import LazyFiles

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
