import Support
import Testing
import ToolSupport

/// Which of the libraries that FFmpeg depends on a command loads.
@Suite struct LoadedLibrariesTests {
    /// What a process has mapped while it writes frames.
    private static func mapped(
        _ options: String, environment: String = "LAZYIMG_PLAIN=0"
    ) -> String {
        let scratch = Scratch()
        let outcome = Tool.shell(
            """
            mkfifo '\(scratch.path("frames"))'
            \(environment) "$lazyimg" play '\(Media.path("clip.mp4"))' --frames - -f raw \(options) \
            > '\(scratch.path("frames"))' &
            exec 3< '\(scratch.path("frames"))'
            head -c 1000 <&3 > '\(scratch.path("head"))'
            cat /proc/$!/maps
            kill $!
            """)
        return outcome.text
    }

    /// Names of libraries that are empty ones of ours.
    private static func standIns(in maps: String) -> Set<Substring> {
        Set(
            maps.split(separator: "\n").compactMap { line in
                line.firstRange(of: "/memfd:").map { line[$0.upperBound...].prefix { $0 != " " } }
            })
    }

    @Test
    func `Reading a film loads no encoders and devices`() {
        let maps = Self.mapped("")
        let standIns = Self.standIns(in: maps)
        #expect(maps.contains("libavcodec.so") && maps.contains("libdav1d.so"))
        #expect(standIns.contains { $0.hasPrefix("libx264.so") }, "\(standIns)")
        #expect(standIns.contains { $0.hasPrefix("libX11.so") }, "\(standIns)")
        for name in ["/libx264.so", "/libX11.so", "/librsvg-2.so"] {
            #expect(!maps.contains(name))
        }
    }

    @Test(arguments: ["LD_LIBRARY_PATH=/nowhere", "LAZYIMG_PLAIN=1"])
    func `Where the environment chooses libraries, or wants no tricks, all are loaded`(
        _ environment: String
    ) {
        let maps = Self.mapped("", environment: environment)
        #expect(Self.standIns(in: maps).isEmpty)
        #expect(maps.contains("/libavcodec.so") && maps.contains("/libX11.so"))
    }

    /// The loader would give them an empty library instead of that which they need.
    @Test
    func `What is loaded later needs nothing that was left out`() {
        let standIns = Self.standIns(in: Self.mapped("--text x"))
        #expect(standIns.contains { $0.hasPrefix("libX11.so") }, "\(standIns)")
        let later = [
            "libass", "libavif", "libjxl", "libtiff", "libcurl", "liblcms2", "libmagic",
            "libsystemd", "libwebp",
        ]
        for library in later {
            let path = "$(/sbin/ldconfig -p | awk '/\(library)\\.so\\.[0-9]/{print $NF; exit}')"
            let outcome = Tool.shell("ldd \(path)")
            let needed = outcome.text.split(separator: "\n").compactMap {
                $0.split(separator: " ").first.map { $0.drop { $0 == "\t" } }
            }
            #expect(needed.contains { $0.hasPrefix("libc.so") }, "\(library): \(outcome.text)")
            #expect(standIns.isDisjoint(with: needed), "\(library)")
        }
    }

    @Test
    func `With and without them the frames are the same`() {
        for name in ["clip.mp4", "vp8-alpha.webm", "av1.mp4", "hevc-10bit.mp4", "h264.ts"] {
            let hashes = ["LAZYIMG_PLAIN=0", "LAZYIMG_PLAIN=1"].map {
                Tool.shell(
                    "\($0) \"$lazyimg\" play '\(Media.path(name))' --frames - -f framehash")
            }
            #expect(hashes[0].status == 0 && hashes[0].text.contains("0, "), "\(hashes[0].errors)")
            #expect(hashes[0].text == hashes[1].text, "\(name)")
        }
    }
}
