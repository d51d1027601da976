import Foundation

/// Starts programs with default signals: threads of tests block them, which programs would inherit.
enum Spawn {
    static func start(
        _ words: [String], environment: [String: String], input: Int32, output: Int32
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let pointers = words.map { strdup($0) }
        let variables = environment.map { strdup("\($0)=\($1)") }
        defer { for text in pointers + variables { free(text) } }
        var id = pid_t()
        let code = posix_spawnp(
            &id, words[0], &actions, &attributes, pointers + [nil], variables + [nil])
        guard code == 0 else { throw Program.CannotStart(name: words[0], code: code) }
        return id
    }
}
