import Glibc
import Support
import Testing

/// The end of a process whose other threads open libraries.
@Suite(.ownThreads) struct ExitTests {
    // A library whose destructor takes its time; its constructor must not run again.
    private static let first = """
        #include <stdlib.h>
        #include <unistd.h>
        extern volatile int is_ending;
        __attribute__((constructor)) static void prepare(void) { if (is_ending) abort(); }
        __attribute__((destructor)) static void release(void) { is_ending = 1; usleep(300000); }
        void first(void) {}
        """
    // Another one that needs it.
    private static let second = """
        void first(void);
        void second(void) { first(); }
        """
    private static let program = """
        #include "CLibrary.h"
        #include <sched.h>
        volatile int is_ending;
        static void *open_second(void *path) {
            while (!is_ending) sched_yield();
            return clibrary_dlopen(path);
        }
        int main(int count, char **arguments) {
            pthread_t thread;
            if (count != 3 || !clibrary_dlopen(arguments[1])) return 1;
            return pthread_create(&thread, NULL, open_second, arguments[2]) == 0 ? 0 : 1;
        }
        """

    @Test(.enabled(if: CProgram.hasCompiler, "the compiler of the toolchain"))
    func `no library is opened while exit runs the destructors of others`() {
        let program = CProgram(Self.program, sources: ["C/CLibrary/library.c"])
        let folder = program.scratch.path
        program.scratch["first.c"] = Array(Self.first.utf8)
        program.scratch["second.c"] = Array(Self.second.utf8)
        let build = """
            cd '\(folder)' && clang -shared -fPIC first.c -o libfirst.so \
            && clang -shared -fPIC second.c -o libsecond.so -L. -lfirst -Wl,-rpath,'\(folder)'
            """
        #expect(system(build) == 0)
        #expect(program.build())
        #expect(program.run("'\(folder)/libfirst.so' '\(folder)/libsecond.so'") == 0)
    }

    // The handler that is registered first runs last.
    private static let initialization = """
        #include "CLibrary.h"
        #include <stdlib.h>
        #include <unistd.h>
        static volatile int is_inside, is_ending;
        static void end(void) { is_ending = 1; usleep(300000); }
        static int fill(char *message, size_t size) {
            is_inside = 1;
            usleep(100000);
            if (is_ending) abort();
            return 0;
        }
        CLIBRARY_LOAD(some, fill)
        static void *load_some(void *unused) { some_load(); return unused; }
        int main(void) {
            pthread_t thread;
            if (atexit(end) || pthread_create(&thread, NULL, load_some, NULL)) return 1;
            while (!is_inside) usleep(100);
            return 0;
        }
        """

    @Test(.enabled(if: CProgram.hasCompiler, "the compiler of the toolchain"))
    func `exit waits until a library is initialized`() {
        let program = CProgram(Self.initialization, sources: ["C/CLibrary/library.c"])
        #expect(program.build())
        #expect(program.run() == 0)
    }
}
