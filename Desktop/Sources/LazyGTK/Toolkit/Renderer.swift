internal import CGTK
internal import CLazyGTK
import Glibc

/// What GTK draws with: the processor itself, where GL would be computed by it too.
///
/// Animations then cost a tenth. The environment's `GSK_RENDERER` takes precedence.
package enum Renderer {
    /// Chooses cairo where no graphics processor can be used, so that Mesa's driver is not loaded.
    ///
    /// That driver takes 50 MB and a third of the start. To be called before GTK is initialized.
    package static func chooseByDevices() {
        if choice == nil, isSoftwareWanted || !hasGraphicsProcessor { choose("cairo") }
        if choice == "cairo" { setenv("GDK_DEBUG", "gl-disable", 0) }
    }

    /// Chooses cairo where GL turns out to be software, as on remote desktops and in virtual machines.
    ///
    /// To be called after GTK is initialized, and before the first window.
    @MainActor package static func chooseByDriver() {
        guard choice == nil, let display = gdk_display_get_default(), lazy_gl_is_software(display)
        else { return }
        choose("cairo")
    }

    private static var choice: String? {
        getenv("GSK_RENDERER").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func choose(_ name: String) { setenv("GSK_RENDERER", name, 1) }

    private static var isSoftwareWanted: Bool {
        guard let wish = getenv("LIBGL_ALWAYS_SOFTWARE") else { return false }
        return ["1", "true", "y", "yes"].contains(String(cString: wish).lowercased())
    }

    /// Whether the kernel offers a device that draws.
    private static var hasGraphicsProcessor: Bool {
        (128..<192).contains { access("/dev/dri/renderD\($0)", R_OK | W_OK) == 0 }
            || access("/dev/nvidiactl", R_OK | W_OK) == 0
    }
}
