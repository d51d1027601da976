import CTricks
import Testing

/// The index against the answers of the run-time library (`as?`), for types and protocols of this module: the index
/// knows the records of one image, and tests are not linked statically.
@Suite struct ConformanceIndexTests {
    @Test(arguments: Subject.all)
    func `an answer is that of the run-time library`(subject: Subject) {
        for proto in Proto.all {
            let expected = subject.conforms(to: proto)
            switch find(subject.type, proto) {
            case LAZY_CONFORMANCE_PRESENT: #expect(expected, "\(subject) \(proto)")
            case LAZY_CONFORMANCE_ABSENT: #expect(!expected, "\(subject) \(proto)")
            default: break
            }
        }
    }

    @Test func `plain value types are known`() {
        #expect(find(Plain.self, .named) == LAZY_CONFORMANCE_PRESENT)
        #expect(find(Choice.self, .counted) == LAZY_CONFORMANCE_PRESENT)
        #expect(find(Box<Plain>.self, .named) == LAZY_CONFORMANCE_PRESENT)
        #expect(find(Int.self, .counted) == LAZY_CONFORMANCE_PRESENT)
        #expect(find(Plain.self, .counted) == LAZY_CONFORMANCE_ABSENT)
        #expect(find(Int.self, .named) == LAZY_CONFORMANCE_ABSENT)
    }

    @Test func `conditions, isolation and classes are left to the run-time library`() {
        #expect(find(Box<Plain>.self, .counted) == LAZY_CONFORMANCE_UNKNOWN)
        #expect(find(Isolated.self, .named) == LAZY_CONFORMANCE_UNKNOWN)
        #expect(find(Base.self, .named) == LAZY_CONFORMANCE_UNKNOWN)
        #expect(find(Derived.self, .named) == LAZY_CONFORMANCE_UNKNOWN)
        #expect(find((() -> Void).self, .named) == LAZY_CONFORMANCE_UNKNOWN)
    }

    private func find(_ type: Any.Type, _ proto: Proto) -> lazy_conformance {
        var record: UnsafeRawPointer?
        let answer = lazy_conformance_find(
            unsafeBitCast(type, to: UnsafeRawPointer.self), proto.descriptor, &record)
        #expect((record != nil) == (answer == LAZY_CONFORMANCE_PRESENT))
        return answer
    }
}

/// A protocol, by its descriptor.
enum Proto: CaseIterable {
    case named, counted

    static var all: [Self] { allCases }

    /// Metadata of an existential type has its kind, flags and count, and then the descriptors.
    var descriptor: UnsafeRawPointer {
        let type: Any.Type = self == .named ? (any Named).self : (any Counted).self
        return unsafeBitCast(type, to: UnsafeRawPointer.self)
            .load(fromByteOffset: 16, as: UnsafeRawPointer.self)
    }
}

/// A type with a value that the run-time library is asked about.
struct Subject: CustomTestStringConvertible, @unchecked Sendable {
    let value: Any
    let type: Any.Type

    init<Value>(_ value: Value) {
        self.value = value
        type = Value.self
    }

    static let all = [
        Subject(Plain()), Subject(Choice.one), Subject(Box(content: Plain())),
        Subject(Box(content: 1)), Subject(Box(content: Choice.one)), Subject(Base()),
        Subject(Derived()), Subject(1), Subject("text"), Subject([1]), Subject(Optional(Plain())),
        Subject((1, 2)),
    ]

    var testDescription: String { "\(type)" }

    func conforms(to proto: Proto) -> Bool {
        switch proto {
        case .named: type is any Named.Type
        case .counted: type is any Counted.Type
        }
    }
}

protocol Named {}
protocol Counted {}

struct Plain: Named {}

enum Choice: Counted {
    case one, two
}

struct Box<Content> {
    let content: Content
}

extension Box: Named {}
extension Box: Counted where Content: Counted {}
extension Int: Counted {}

class Base: Named {}
class Derived: Base {}

@MainActor struct Isolated: @MainActor Named {}
