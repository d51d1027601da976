import Support
import Testing

/// The end of a process of which another thread initializes libcurl.
@Suite(.ownThreads) struct ExitTests {
    // The handler that is registered first runs last. After OpenSSL has freed its state, it cannot be initialized.
    private static let cleanup = """
        #include "CCurl.h"
        #include <dlfcn.h>
        #include <stdint.h>
        #include <stdlib.h>
        #include <unistd.h>
        static void check(void) {
            void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_NOLOAD);
            int (*initialize)(uint64_t, const void *)
                = (__typeof__(initialize))dlsym(library, "OPENSSL_init_crypto");
            if (initialize && !initialize(0, NULL)) _exit(3);
        }
        int main(void) { return atexit(check) || lz_curl_load() ? 1 : 0; }
        """
    private static let race = """
        #include "CCurl.h"
        #include <pthread.h>
        #include <stdlib.h>
        #include <unistd.h>
        static volatile int is_running;
        static void *load(void *unused) { is_running = 1; lz_curl_load(); return unused; }
        int main(int count, char **arguments) {
            pthread_t thread;
            if (count != 2 || pthread_create(&thread, NULL, load, NULL)) return 1;
            while (!is_running) continue;
            usleep((useconds_t)atoi(arguments[1]));
            return 0;
        }
        """
    private static let sources = ["C/CLibrary/library.c", "C/CCurl/load.c"]

    @Test(.enabled(if: CProgram.hasCompiler, "the compiler of the toolchain"))
    func `exit leaves the state of TLS that threads use`() {
        let program = CProgram(Self.cleanup, sources: Self.sources)
        #expect(program.build())
        #expect(program.run() == 0)
    }

    @Test(.enabled(if: CProgram.hasCompiler, "the compiler of the toolchain"))
    func `a process may exit at any point of loading libcurl`() {
        let program = CProgram(Self.race, sources: Self.sources)
        #expect(program.build())
        let statuses = (0..<100).map { program.run("\($0 * 200)") }
        #expect(statuses.allSatisfy { $0 == 0 })
    }
}
