import HTTPSupport
import LazyBytes
import LazyLoading
import Testing

@testable import LazyHTTP

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
}
