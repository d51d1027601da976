import Support
import Testing

/// What a decoder knows of the environment.
@Suite(.ownThreads) struct SpawnTests {
    private static let program = """
        #include "CSandbox.h"
        #include <stdlib.h>
        #include <sys/wait.h>

        int main(int count, char **words) {
            const char *arguments[] = {"sh", "-c", words[1], NULL};
            int ends[2], status;
            setenv("LAZYIMG_PLAIN", "1", 1);
            setenv("SECRET", "1", 1);
            if (count != 2 || sandbox_pair(ends)) return 1;
            pid_t process = sandbox_spawn("/bin/sh", arguments, ends[1]);
            return process > 0 && waitpid(process, &status, 0) == process ? status != 0 : 1;
        }
        """

    @Test(.enabled(if: CProgram.hasCompiler))
    func `a decoder knows whether tricks apply, and no secrets`() {
        let program = CProgram(
            Self.program, sources: ["C/CSandbox/spawn.c", "C/CSandbox/messages.c"])
        #expect(program.build())
        #expect(program.run("'test \"$LAZYIMG_PLAIN\" = 1'") == 0)
        #expect(program.run("'test -z \"$SECRET\"'") == 0)
    }
}
