import CCurl
import CLibrary
import Glibc
import HTTPSupport
import LazyBase
import Testing

@testable import LazyLoading

/// Exit of a process during loads.
@Suite struct LoopThreadsTests {
    @Test func `at exit loads are cancelled, threads end, and none starts`()
        async throws
    {
        let server = try ScriptedServer { _ in [] }
        let threads = LoopThreads()
        let engine = CurlEngine(.init(), threads)
        let step = try RedirectStep(of: LoadRequest(url: server.url("/")), configuration: .init())
        let transfer = try engine.start(step)
        let response = Task { () -> LoadingError.Code? in
            do throws(LoadingError) {
                _ = try await transfer.response()
                return nil
            } catch {
                return error.code
            }
        }
        await server.wait { $0.openConnections == 1 }
        // Returns only once the thread has let go of the connection.
        await BlockingPool.shared.run { threads.end(within: .seconds(30)) }
        #expect(await response.value == .cancelled)
        #expect(throws: LoadingError.self) { try CurlEngine(.init(), threads).start(step) }
    }

    @Test func `exit without threads returns, and no load starts after it`() async throws {
        let server = try ScriptedServer { _ in [] }
        let threads = LoopThreads()
        threads.end(within: .seconds(30))
        let step = try RedirectStep(of: LoadRequest(url: server.url("/")), configuration: .init())
        #expect(throws: LoadingError.self) { try CurlEngine(.init(), threads).start(step) }
    }

    @Test func `a thread starts only while exit can be held up`() async throws {
        let server = try ScriptedServer { _ in [] }
        let engine = CurlEngine(.init(), LoopThreads())
        let step = try RedirectStep(of: LoadRequest(url: server.url("/")), configuration: .init())
        let transfer = Locked<RunningTransfer?>(nil)
        try Self.holdingExit {
            try DetachedThread.start {
                let started = try? engine.start(step)
                transfer.withLock { $0 = started }
            }
            // More than enough for a thread that does not wait.
            for _ in 0..<20_000 { sched_yield() }
            #expect(transfer.withLock { $0 == nil })
        }
        while transfer.withLock({ $0 == nil }) { await Task.yield() }
    }

    /// Does something while no other thread can hold exit up, as after a call of `exit`.
    private static func holdingExit(_ body: () throws -> Void) rethrows {
        // Its thread may wait for this one.
        _ = lz_curl_load()
        clibrary_hold_exit()
        defer { clibrary_release_exit() }
        try body()
    }
}
