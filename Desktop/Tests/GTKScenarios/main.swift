internal import CGTK
import Glibc
internal import LazyGTK

// Real windows for the tests: each scenario prints what it sees, one fact a line.
g_set_prgname("GTKScenarios")
guard gtk_init_check() != 0 else { exit(69) }
MainActor.assumeIsolated {
    let words = Array(CommandLine.arguments.dropFirst())
    MainActorLoop.attach()
    LoopWatch.shared.install()
    let task = Task { @MainActor in
        do {
            try await Scenarios.run(words)
            exit(0)
        } catch {
            print("error \(error)")
            exit(1)
        }
    }
    g_main_loop_run(g_main_loop_new(nil, 0))
    task.cancel()
}
