import Glibc
import Support
import Testing

@testable import LazyBase

@Suite(.enabled(if: ResidentPages.canBePopulated, "Linux 5.14"))
struct FreshMemoryTests {
    private func withMapping(_ body: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        let memory = mmap(
            nil, 64 << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let bytes = UnsafeMutableRawBufferPointer(
            start: try #require(memory != MAP_FAILED ? memory : nil), count: 64 << 12)
        defer { munmap(bytes.baseAddress, bytes.count) }
        try body(bytes)
    }

    @Test func `pages within the memory are made, and no others`() throws {
        try withMapping { bytes in
            FreshMemory.populate(.init(rebasing: bytes[100..<40 << 12]))
            let pages = ResidentPages.within(.init(bytes))
            #expect(pages.indices.filter { pages[$0] } == Array(1..<40))
            #expect(bytes.allSatisfy { $0 == 0 })
        }
    }

    @Test func `less than a page is left alone`() throws {
        try withMapping { bytes in
            FreshMemory.populate(.init(rebasing: bytes[1..<4096]))
            FreshMemory.populate(.init(start: nil, count: 0))
            #expect(!ResidentPages.within(.init(bytes)).contains(true))
        }
    }

    @Test func `a refusal leaves errno`() throws {
        try withMapping { bytes in
            mprotect(bytes.baseAddress, bytes.count, PROT_NONE)
            errno = 0
            FreshMemory.populate(bytes)
            #expect(errno == 0)
        }
    }
}
