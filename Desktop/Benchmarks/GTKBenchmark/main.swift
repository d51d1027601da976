internal import CGTK
import Glibc
internal import LazyGTK

// What the window costs; run by Benchmarks/desktop.py.
Renderer.chooseByDevices()
guard gtk_init_check() != 0 else { exit(69) }
MainActor.assumeIsolated {
    MainActorLoop.attach()
    let task = Task { @MainActor in
        await Benchmarks.run(Array(CommandLine.arguments.dropFirst()))
        exit(0)
    }
    g_main_loop_run(g_main_loop_new(nil, 0))
    task.cancel()
}
