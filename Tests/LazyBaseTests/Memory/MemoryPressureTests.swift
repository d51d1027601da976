import Support
import Testing

@testable import LazyBase

@Suite struct MemoryPressureTests {
    @Test func `observers are called until they drop their token`() {
        let pressure = MemoryPressure()
        let told = Locked<[MemoryPressure.Level]>([])
        let token = pressure.observe { level in told.withLock { $0.append(level) } }
        pressure.report(.warning)
        pressure.report(.critical)
        withExtendedLifetime(token) {}
        #expect(told.withLock { $0 } == [.warning, .critical])
        do { _ = consume token }
        pressure.report(.warning)
        #expect(told.withLock { $0.count } == 2)
    }

    @Test func `without the kernel's files nothing is reported`() {
        #expect(PressureWatch(files: []) == nil)
        #expect(PressureWatch(files: ["/nonexistent", "/dev/null/x"]) == nil)
        let pressure = MemoryPressure(watching: ["/nonexistent"])
        _ = pressure.observe { _ in }
    }

    @Test func `the system's files accept a trigger or refuse it`() {
        let files = ControlGroups(read: SystemMemory.readFile).pressureFiles
        #expect(files.last == "/proc/pressure/memory")
        PressureWatch(files: files)?.close()
    }
}
