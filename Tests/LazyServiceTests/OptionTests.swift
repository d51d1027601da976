import LazyEditing
import LazyMedia
import Testing

@testable import LazyService

/// What paths are read as.
@Suite struct OptionTests {
    private static let rows = Table("parser").rows

    /// The rules that a row's configuration says.
    private static func rules(_ row: Table.Row) throws -> (OptionRules, AddressRules) {
        var (rules, addresses) = (OptionRules(), AddressRules())
        let text = row["config"]
        if text.contains("argument separator ,") { rules.separator = "," }
        if text.hasPrefix("base64 URL includes filename") { rules.endsWithFileName = true }
        if text.hasPrefix("only presets") { rules.allowsOnlyPresets = true }
        if text.hasPrefix("allowed options") { rules.allowed = ["w", "h", "pr"] }
        if text.hasPrefix("base URL") { addresses.base = "http://images.dev/" }
        if text.hasPrefix("replacements") {
            addresses.replacements = [
                try .init(of: "^test://([^/]*)/", by: "test2://images.dev/${1}/dolor/"),
                try .init(of: "^test2://", by: "http://"),
            ]
        }
        if let presets = text.firstRange(of: /presets? (?=[a-z0-9]+=)/) {
            for word in text[presets.upperBound...].split(separator: " ") {
                try rules.addPreset(String(word))
            }
        }
        return (rules, addresses)
    }

    /// What differs from the data, and why.
    private static let differences: [String: String] = [:]

    @Test(arguments: rows.filter { !$0["config"].hasPrefix("preset line") })
    func `a path is accepted or refused`(_ row: Table.Row) throws {
        let (rules, addresses) = try Self.rules(row)
        let job = Result { () throws -> (ServiceOptions, String, String?) in
            let (options, source) = try rules.read(row["path"])
            if options.expiry > 0, options.expiry < 1_700_000_000 { throw ServiceError(404, "") }
            return (options, try addresses.whole(source.address), source.ending)
        }
        guard row["result"] == "accepted" else {
            #expect(throws: ServiceError.self) { try job.get() }
            return
        }
        let (options, address, ending) = try job.get()
        for fact in row["facts"].split(separator: " ") {
            let parts = fact.split(separator: "=", maxSplits: 1).map { String($0) }
            guard parts.count == 2, let read = Self.value(parts[0], options, address, ending) else {
                continue
            }
            #expect(read == parts[1], "\(parts[0])")
        }
    }

    /// What was read, as the data writes it; nil for what is not of this service, such as hints of clients.
    private static func value(
        _ name: String, _ options: ServiceOptions, _ address: String, _ ending: String?
    ) -> String? {
        let placement = options.placement
        return switch name {
        case "url": address
        case "format": (options.format?.rawValue ?? ending) ?? "unset"
        case "type": placement.resizing.rawValue
        case "enlarge": placement.enlarges ? "1" : "0"
        case "extend": placement.extends == nil ? "0" : "1"
        case "quality": "\(options.quality)"
        case "blur": "\(placement.filter.blur)"
        case "sharpen": "\(placement.filter.sharpen)"
        case "cachebuster": options.cacheBuster
        case "expires": "\(options.expiry)"
        case "skip": options.skipped.map(\.rawValue).sorted().joined(separator: ",")
        case "used": options.presets.joined(separator: ",")
        case "background":
            placement.background.map { "\($0.red),\($0.green),\($0.blue)" } ?? "unset"
        default: nil
        }
    }

    @Test(arguments: rows.filter { $0["config"].hasPrefix("preset line") })
    func `a line of presets is accepted or refused`(_ row: Table.Row) {
        let line = row["path"] == "(three spaces)" ? "   " : row["path"]
        var rules = OptionRules()
        let result = Result { () throws in
            try rules.addPreset(line)
            try rules.checkPresets()
        }
        #expect(
            (try? result.get()) != nil ? "accepted" == row["result"] : "refused" == row["result"])
        if row["facts"] == "no preset" { #expect(rules.presets.isEmpty) }
    }

    @Test(arguments: Table("options").rows)
    func `an option has all of its forms, and their numbers of arguments`(_ row: Table.Row) throws {
        for name in row["forms"].split(separator: ",") {
            let form = try #require(OptionForms.form(String(name)), "\(name)")
            #expect(form.arguments.lowerBound == Int(row["min_args"]))
            let most = Int(row["max_args"]) ?? .max
            #expect(form.arguments.upperBound == most, "\(name)")
        }
    }

    /// Paths with options of films, and what their body has where they are refused.
    @Test(
        arguments: [
            ("vta:1:100:10:64:64:1:1:1:0.5:0.25", nil), ("vta:-1:100:10", nil),
            ("vta:1:100:10:::x:y:z", nil), ("vta:1:2:3:4:5:6:7:8:0.5:0.5:9", "vta"),
            ("vta:1:100", "vta"), ("vta:1:100:10:64:64:0:0:1:2:0", "vta"), ("vta:-1:100:0", "vta"),
            ("vta:x:100:10", "vta"), ("vta:1:100:10:64:64:0:0:1:left", "vta"),
            ("vtt:1:3:3:32:32:1:1:1:0:1", nil), ("vtt:-1:3:3", nil),
            ("vtt:1:3:3:32:32:1:1:1:0:1:1", "vtt"), ("vtt:1:3", "vtt"), ("vtt:1:3:x", "vtt"),
            ("vts:1:2", "vts"), ("vts:x", "vts"), ("vtk:1:1", "vtk"), ("vtk:anything", nil),
            ("video_thumbnail_second:1:2", "video_thumbnail_second"), ("w:1:2", "w"),
            ("da:1:1", "da"), ("pg:1:1", "pg"), ("pg:9223372036854775807", "pg"),
        ] as [(String, String?)])
    func `an option of films has its arguments and no more`(
        option: String, refused: String?
    ) {
        let result = Result { () throws(ServiceError) in
            try OptionRules().read("/\(option)/plain/local:///x")
        }
        guard let refused else {
            #expect((try? result.get()) != nil)
            return
        }
        let error = #expect(throws: ServiceError.self) { try result.get() }
        #expect(error?.status == 404 && error?.message.contains("option \(refused)") == true)
    }

    /// Every option that has a whole number, by its least and largest ones.
    @Test(
        arguments: ["w", "h", "mw", "mh", "s", "rs:fit", "pd", "pix", "mrd", "c", "rot"],
        [Int.min, Int.min + 1, Int.max])
    func `a number beyond all sizes is refused by the name of its option`(
        option: String, number: Int
    ) {
        var rules = OptionRules()
        rules.allowsBounds = true
        let result = Result { () throws(ServiceError) in
            try rules.read("/\(option):\(number)/plain/local:///x")
        }
        let error = #expect(throws: ServiceError.self) { try result.get() }
        let name = option.prefix { $0 != ":" }
        #expect(error?.status == 404 && error?.message.contains("option \(name)") == true)
    }

    @Test(arguments: [
        ("ex:1:sm", "ce, no, ea, so, we, noea, nowe, soea, sowe, fp"),
        ("g:re", "ce, no, ea, so, we, noea, nowe, soea, sowe, sm, fp"),
        ("g:noeaa", "ce, no, ea, so, we, noea, nowe, soea, sowe, sm, fp. Did you mean 'noea'?"),
    ])
    func `a wrong gravity is answered with those that there are`(option: String, words: String) {
        let error = #expect(throws: ServiceError.self) {
            try OptionRules().read("/\(option)/plain/local:///x")
        }
        #expect(error?.message.contains("the gravities are \(words).") == true, "\(error as Any)")
        #expect(error?.message.contains("Did you mean") == words.contains("Did you mean"))
    }

    @Test func `all forms are known`() {
        #expect(Table("options").rows.flatMap { $0["forms"].split(separator: ",") }.count == 90)
    }
}
