import Testing

@testable import LazyBase
@testable import LazyGallery

struct SourceTests {
    @Test(arguments: [
        ("Beach 01.MP4", "beach-01-"), ("--- .gif", ""), ("名前.webm", ""), ("../x.gif", "x-"),
        ("a\"b<c>'&.gif", "a-b-c-"), ("noextension", "noextension-"), (".hidden", ""),
    ]) func `the folder of an item is made of safe letters and a digest`(
        name: String, word: String
    ) {
        let id = GallerySource(path: "films/" + name).id
        #expect(id.hasPrefix(word))
        #expect(id.utf8.count == word.utf8.count + 12)
        let isSafe = id.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
        }
        #expect(isSafe)
    }

    @Test func `names of any bytes have different folders`() {
        let names = [[0xFF], [0xFE], Array("é".utf8), Array("e\u{301}".utf8)].map(FileName.text)
        #expect(Set(names.map { GallerySource(path: $0 + ".gif").id }).count == 4)
    }

    @Test func `the folder of an item depends on its name and its subfolder alone`() {
        let here = GallerySource(path: "films/a/b.gif", subfolder: "a")
        #expect(here.id == GallerySource(path: "/mnt/films/a/b.gif", subfolder: "a").id)
        #expect(here.id != GallerySource(path: "films/c/b.gif", subfolder: "c").id)
    }

    @Test func `names are in the order in which people count`() {
        let names = [
            "a/f2.gif", "a/F1.gif", "a/f10.gif", "a/f010.gif", "b.gif", "a/g.gif", "a/f2b.gif",
            "9.gif", "10.gif", "99999999999999999999999.gif",
        ]
        let sorted = GallerySource.sorted(names.map { GallerySource(path: $0) }).map(\.path)
        #expect(
            sorted == [
                "9.gif", "10.gif", "99999999999999999999999.gif", "a/F1.gif", "a/f2.gif",
                "a/f2b.gif", "a/f010.gif", "a/f10.gif", "a/g.gif", "b.gif",
            ])
    }
}
