import Glibc

/// What GTK draws with.
package enum Renderer {
    /// Keeps GTK from loading a GL driver where `GSK_RENDERER=cairo` says that nothing draws with it.
    ///
    /// Mesa's driver for machines without a graphics processor takes 50 MB and a third of the start. To be
    /// called before GTK is initialized.
    package static func avoidUnusedDriver() {
        guard let renderer = getenv("GSK_RENDERER"), strcmp(renderer, "cairo") == 0 else { return }
        setenv("GDK_DEBUG", "gl-disable", 0)
    }
}
