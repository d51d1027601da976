/// The options of a path: their names, and how many arguments they have.
enum OptionForms {
    /// How an option may be written.
    struct Form: Sendable {
        /// The name that is used here.
        let name: String
        let arguments: ClosedRange<Int>
    }

    /// The form of a name; nil for an unknown one.
    static func form(_ name: String) -> Form? { byName[name] }

    /// All names.
    static var names: [String] { byName.keys.sorted() }

    /// Options that have nothing to do here: nothing that they switch is ever there, or it always is.
    ///
    /// Metadata is never copied, colors are always converted to sRGB, and embedded thumbnails are never enlarged.
    static let idle: Set<String> = ["sm", "kcr", "scp", "ph", "eth"]

    private static let any = Int.max

    private static let table: [(names: String, arguments: ClosedRange<Int>)] = [
        ("rs resize", 1...8), ("s size", 1...7), ("rt resizing_type", 1...1), ("w width", 1...1),
        ("h height", 1...1), ("mw min-width", 1...1), ("mh min-height", 1...1), ("z zoom", 1...2),
        ("dpr", 1...1), ("el enlarge", 1...1), ("ex extend", 1...4),
        ("exar extend_ar extend_aspect_ratio", 1...4), ("g gravity", 1...3), ("c crop", 1...5),
        ("t trim", 1...4), ("pd padding", 1...4), ("ar auto_rotate", 1...1), ("rot rotate", 1...1),
        ("fl flip", 1...2), ("bg background", 1...3), ("bl blur", 1...1), ("sh sharpen", 1...1),
        ("pix pixelate", 1...1), ("wm watermark", 1...7), ("sm strip_metadata", 1...1),
        ("kcr keep_copyright", 1...1), ("scp strip_color_profile", 1...1),
        ("ph preserve_hdr", 1...1), ("eth enforce_thumbnail", 1...1), ("q quality", 1...1),
        ("fq format_quality", 2...any), ("mb max_bytes", 1...1), ("f format ext", 1...1),
        ("skp skip_processing", 1...any), ("raw", 1...1), ("cb cachebuster", 1...1),
        ("exp expires", 1...1), ("fn filename", 1...2), ("att return_attachment", 1...1),
        ("pr preset", 1...any), ("msr max_src_resolution", 1...1),
        ("msfs max_src_file_size", 1...1), ("maf max_animation_frames", 1...1),
        ("mafr max_animation_frame_resolution", 1...1), ("mrd max_result_dimension", 1...1),
        // Of its other edition, by their documentation.
        ("da disable_animation", 1...1), ("vts video_thumbnail_second", 1...1),
        ("vtk video_thumbnail_keyframes", 1...1), ("vtt video_thumbnail_tile", 3...10),
        ("vta video_thumbnail_animation", 3...10), ("pg page", 1...1), ("pgs pages", 1...1),
        ("car crop_aspect_ratio crop_ar", 1...2),
        // Ours.
        ("lz_poster", 1...1), ("lz_animate", 1...2), ("lz_segments", 1...1), ("lz_sheet", 1...4),
    ]

    private static let byName: [String: Form] = {
        var forms: [String: Form] = [:]
        for row in table {
            let names = row.names.split(separator: " ").map { String($0) }
            for name in names { forms[name] = Form(name: names[0], arguments: row.arguments) }
        }
        return forms
    }()
}
