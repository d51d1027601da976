import CTricks
import Testing

/// Empty libraries in the place of others, as far as they can be tried without changing this process.
@Suite struct StandInTests {
    @Test func `libraries that are not there, or are none, change nothing`() {
        // The second is a text for the linker.
        for name in ["libnowhere.so.1", "libc.so"] {
            #expect(Self.standIn(name) == -1)
            #expect(name.withCString { String(cString: tricks_path($0)) } == name)
        }
    }

    @Test func `names are compared by their beginnings, in either case`() {
        #expect(Self.isKept("libSvtAv1Enc.so.1", by: "libsvtav1enc.so"))
        #expect(!Self.isKept("libmfx.so.1", by: "libm.so"))
    }

    private static func standIn(_ name: String) -> CInt {
        name.withCString { name in
            let none: [UnsafePointer<CChar>?] = [nil]
            return tricks_stand_in([name, nil], none, none)
        }
    }

    private static func isKept(_ name: String, by kept: String) -> Bool {
        kept.withCString { tricks_is_kept(name, [$0, nil]) == 1 }
    }
}
