import Support
import ToolSupport

/// Tells which functions of decoders' libraries a run of the tool calls in its own process.
///
/// It is loaded into that process before the libraries (`LD_PRELOAD`), and stands between them and the tool. Processes that
/// decode have an environment of their own, in which it is not.
struct DecoderWitness {
    private let program = CProgram(source, sources: [])
    private var scratch: Scratch { program.scratch }

    /// Nil where there is no compiler.
    init?() {
        guard CProgram.hasCompiler, program.buildLibrary() else { return nil }
    }

    /// Runs the tool by a script that has it in `$lazyimg`, and what was called where; none where all was isolated.
    func run(_ script: String) -> (outcome: Tool.Outcome, calls: [String]) {
        let notes = Scratch()
        let outcome = Tool.shell(
            """
            lazyimg() {
                LD_PRELOAD='\(scratch.path("program.so"))' LAZYIMG_WITNESS='\(notes.path("calls"))' "$lazyimg" "$@"
            }
            \(script)
            """)
        let lines = notes.text("calls").split(separator: "\n").map(String.init)
        return (outcome, Array(Set(lines)).sorted())
    }

    /// Where decoding begins: in libraries that are linked, and in opening those that are not.
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        static void note(const char *name) {
            const char *path = getenv("LAZYIMG_WITNESS");
            int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
            if (file < 0) return;
            char line[200];
            strncpy(line, name, sizeof line - 2);
            line[sizeof line - 2] = 0;
            strcat(line, "\\n");
            if (write(file, line, strlen(line)) < 0) abort();
            close(file);
        }

        #define WATCHED(name) \\
            void *name(void *a, void *b, void *c, void *d) { \\
                void *(*next)(void *, void *, void *, void *) = \\
                    (void *(*)(void *, void *, void *, void *))dlsym(RTLD_NEXT, #name); \\
                note(#name); \\
                return next(a, b, c, d); \\
            }
        WATCHED(png_create_read_struct)
        WATCHED(jpeg_CreateDecompress)
        WATCHED(WebPIDecode)
        WATCHED(DGifOpen)

        void *dlopen(const char *name, int flags) {
            void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
            static const char *const decoders[] = {"avcodec", "avformat", "avif", "jxl", "tiff"};
            for (size_t i = 0; name && i < sizeof decoders / sizeof *decoders; i++)
                if (strstr(name, decoders[i])) note(name);
            return next(name, flags);
        }

        """
}
