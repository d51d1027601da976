import Glibc

/// Whether the tests, and the programs built with them, run under AddressSanitizer or ThreadSanitizer.
public enum Sanitizer {
    /// True where one is linked: memory is then several times as large, and SIGSEGV is its own.
    public static let isLinked =
        dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
}
