import Glibc
import Support
import Testing

/// The end of a process whose other threads open libraries.
@Suite(.ownThreads) struct ExitTests {
    private static let hasCompiler = system("command -v clang >/dev/null 2>&1") == 0

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

    @Test(.enabled(if: hasCompiler, "the compiler of the toolchain"))
    func `no library is opened while exit runs the destructors of others`() {
        let scratch = Scratch()
        scratch["first.c"] = Array(Self.first.utf8)
        scratch["second.c"] = Array(Self.second.utf8)
        scratch["program.c"] = Array(Self.program.utf8)
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let sources = "/\(root)/Sources/CLibrary"
        let build = """
            cd '\(scratch.path)' && clang -shared -fPIC first.c -o libfirst.so \
            && clang -shared -fPIC second.c -o libsecond.so -L. -lfirst -Wl,-rpath,'\(scratch.path)' \
            && clang -rdynamic -I'\(sources)/include' program.c '\(sources)/library.c' -o program -lpthread
            """
        #expect(system(build) == 0)
        let folder = scratch.path
        #expect(system("'\(folder)/program' '\(folder)/libfirst.so' '\(folder)/libsecond.so'") == 0)
    }
}
