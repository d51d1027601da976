import Testing

@testable import LazyMedia

@Suite struct LookAheadTests {
    @Test func `a first pull waits and starts the producer`() {
        var machine = LookAhead<Int>(depth: 2)
        #expect(machine.pull().described == "wait, start")
        #expect(machine.pull().described == "wait")
    }

    @Test func `the producer stops when the buffer is full and starts again when it is not`() {
        var machine = LookAhead<Int>(depth: 2)
        _ = machine.pull()
        #expect(machine.push(.success(1)) == true)
        #expect(machine.push(.success(2)) == false)
        #expect(machine.pull().described == "deliver 1, start")
        #expect(machine.pull().described == "deliver 2")
        #expect(machine.push(.success(3)) == true)
    }

    @Test func `with depth 0 nothing is produced before a pull waits`() {
        var machine = LookAhead<Int>(depth: 0)
        for value in 1...3 {
            #expect(machine.pull().described == "wait, start")
            #expect(machine.pull().described == "wait")
            #expect(machine.push(.success(value)) == false)
            #expect(machine.pull().described == "deliver \(value)")
        }
        #expect(machine.pull().described == "wait, start")
        #expect(machine.push(.success(nil)) == false)
        #expect(machine.pull().described == "deliver end")
        #expect(machine.pull().described == "deliver end")
    }

    @Test func `after the end every pull returns nil`() {
        var machine = LookAhead<Int>(depth: 2)
        _ = machine.pull()
        var hasElements = machine.hasElements
        #expect(!hasElements)
        #expect(machine.push(.success(nil)) == false)
        #expect(machine.pull().described == "deliver end")
        hasElements = machine.hasElements
        #expect(hasElements)
        #expect(machine.pull().described == "deliver end")
    }

    @Test func `an error comes after the elements before it and ends the work`() {
        var machine = LookAhead<Int>(depth: 3)
        _ = machine.pull()
        _ = machine.push(.success(1))
        #expect(machine.push(.failure(.cancelled)) == false)
        #expect(machine.pull().described == "deliver 1")
        #expect(machine.pull().described == "deliver cancelled")
        #expect(machine.pull().described == "deliver end")
    }
}

extension LookAhead<Int>.Step {
    fileprivate var described: String {
        switch self {
        case .wait(let starts): starts ? "wait, start" : "wait"
        case .deliver(.success(let value), let starts):
            "deliver \(value.map(String.init) ?? "end")\(starts ? ", start" : "")"
        case .deliver(.failure(let error), let starts):
            "deliver \(error.code.rawValue)\(starts ? ", start" : "")"
        }
    }
}
