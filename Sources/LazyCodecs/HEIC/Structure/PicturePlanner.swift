internal import LazyMedia

/// Makes plans of items; checks sizes, numbers and cycles before anything is decoded.
struct PicturePlanner {
    private let items: HEIFItems
    private let bytes: ItemBytes
    private let limits: DecodingLimits
    private let opening: OpeningTime
    /// The items on the way to the current one.
    private var path: [UInt32] = []
    /// The most pictures in each other at the current place.
    private var deepest = 0
    private var count = 0
    /// What is planned already: a grid may name one item for each of its tiles.
    private(set) var made: [Part: Planned] = [:]

    /// An item, with its alpha or without.
    struct Part: Hashable {
        let id: UInt32
        let hasAlpha: Bool
    }

    struct Planned {
        let plan: PicturePlan
        /// The pictures that it is made of, itself included.
        let count: Int
        /// How many of them are in each other at most.
        let depth: Int
    }

    /// Recipes that take recipes that take recipes.
    private static let maxDepth = 8
    /// A grid has up to 65536 tiles.
    private static let maxPictures = (1 << 16) + 64

    init(_ items: HEIFItems, _ bytes: ItemBytes, _ limits: DecodingLimits) {
        self.items = items
        self.bytes = bytes
        self.limits = limits
        opening = limits.opening
    }

    /// Plans a picture and its alpha.
    mutating func plan(_ id: UInt32) throws(MediaError) -> PicturePlan {
        try once(Part(id: id, hasAlpha: true)) { (planner) throws(MediaError) in
            var plan = try planner.planColors(id)
            let items = planner.items
            let alpha = items.references.sources("auxl", of: id).first {
                items.items[$0]?.isAlpha ?? false
            }
            if let alpha {
                plan.alpha = [try planner.planColors(alpha)]
                plan.isPremultiplied = items.references.targets("prem", of: id).contains(alpha)
            }
            return plan
        }
    }

    private mutating func planColors(_ id: UInt32) throws(MediaError) -> PicturePlan {
        try once(Part(id: id, hasAlpha: false)) { (planner) throws(MediaError) in
            try planner.planItem(id)
        }
    }

    /// Plans a part, or takes its plan again: work grows with the items, and pictures are counted.
    private mutating func once(
        _ part: Part, _ make: (inout PicturePlanner) throws(MediaError) -> PicturePlan
    ) throws(MediaError) -> PicturePlan {
        try opening.check()
        if let known = made[part] {
            try take(known.count, depth: known.depth)
            return known.plan
        }
        let (before, outer) = (count, deepest)
        deepest = path.count
        let plan = try make(&self)
        made[part] = Planned(plan: plan, count: count - before, depth: deepest - path.count)
        deepest = max(deepest, outer)
        return plan
    }

    private mutating func take(_ pictures: Int, depth: Int) throws(MediaError) {
        deepest = max(deepest, path.count + depth)
        guard deepest <= Self.maxDepth else { throw .heic("has too many pictures in pictures") }
        count += pictures
        guard count <= Self.maxPictures else { throw .heic("is made of too many pictures") }
    }

    private mutating func planItem(_ id: UInt32) throws(MediaError) -> PicturePlan {
        guard let item = items.items[id], item.kind != 0 else {
            throw .heic("refers to an item that is missing")
        }
        guard !path.contains(id) else { throw .heic("has a picture that is made of itself") }
        try take(1, depth: 1)
        guard !item.isProtected else {
            throw MediaError(.encrypted, "The HEIC is encrypted and there is no key.")
        }
        path.append(id)
        defer { path.removeLast() }
        let properties = items.properties(of: item)
        var plan =
            switch item.kind {
            case ISOBox.kind("grid"): try grid(id, item)
            case ISOBox.kind("iovl"): try overlay(id, item)
            case ISOBox.kind("iden"), ISOBox.kind("tmap"): try same(id)
            default: try coded(item, properties)
            }
        for case .transformation(let change) in properties { try plan.view.apply(change) }
        plan.color = ColorDescription(properties).completed(by: plan.color)
        return plan
    }

    private func coded(
        _ item: HEIFItem, _ properties: [ItemProperty]
    ) throws(MediaError) -> PicturePlan {
        guard let (codec, box) = Self.codecs[item.kind] else {
            throw MediaError(
                .unsupported,
                "The HEIC's picture is of the kind '\(item.name)', which is not read here.")
        }
        var configuration: [UInt8] = []
        var size: PixelSize?
        for property in properties {
            switch property {
            case .configuration(box, let bytes) where configuration.isEmpty: configuration = bytes
            case .size(let width, let height) where size == nil:
                size = PixelSize(checking: width, height)
            default: break
            }
        }
        guard let size else { throw .heic("has a picture without a size") }
        guard !configuration.isEmpty || codec == .jpeg || codec == .av1 else {
            throw .heic("has a picture without a decoder configuration")
        }
        try limits.check(canvas: size)
        _ = try bytes.count(of: item)
        return PicturePlan(
            size: size,
            content: .coded(
                CodedItem(item: item, codec: codec, configuration: configuration, size: size)),
            view: PictureView(of: size), depth: Self.depth(codec, configuration), codec: codec)
    }

    /// The codec of a type of item, and the type of the property that configures it.
    private static let codecs: [UInt32: (PictureCodec, UInt32)] = [
        ISOBox.kind("hvc1"): (.hevc, ISOBox.kind("hvcC")),
        ISOBox.kind("hev1"): (.hevc, ISOBox.kind("hvcC")),
        ISOBox.kind("avc1"): (.h264, ISOBox.kind("avcC")),
        ISOBox.kind("av01"): (.av1, ISOBox.kind("av1C")),
        ISOBox.kind("jpeg"): (.jpeg, ISOBox.kind("jpgC")),
    ]

    /// The bits of a sample of luma by a decoder configuration (ISO/IEC 14496-15, 8.3.3.1).
    private static func depth(_ codec: PictureCodec, _ configuration: [UInt8]) -> Int {
        switch codec {
        case .hevc where configuration.count > 17: 8 + Int(configuration[17] & 7)
        case .av1 where configuration.count > 2:
            configuration[2] & 0x40 == 0 ? 8 : configuration[2] & 0x20 == 0 ? 10 : 12
        default: 8
        }
    }

    private mutating func grid(
        _ id: UInt32, _ item: HEIFItem
    ) throws(MediaError) -> PicturePlan {
        let recipe = try GridRecipe(try recipe(item))
        try limits.check(canvas: recipe.size)
        let targets = items.references.targets("dimg", of: id)
        let wanted = recipe.columns * recipe.rows
        guard targets.count >= wanted else { throw .heic("has a grid with too few tiles") }
        var tiles: [PicturePlan] = []
        for target in targets.prefix(wanted) { tiles.append(try plan(target)) }
        let tile = tiles[0].shown
        guard tiles.allSatisfy({ $0.shown == tile }),
            tile.width * recipe.columns >= recipe.size.width,
            tile.height * recipe.rows >= recipe.size.height
        else { throw .heic("has a grid whose tiles do not fit") }
        return derived(recipe.size, .grid(recipe, tiles), of: tiles)
    }

    private mutating func overlay(
        _ id: UInt32, _ item: HEIFItem
    ) throws(MediaError) -> PicturePlan {
        let targets = items.references.targets("dimg", of: id)
        let recipe = try OverlayRecipe(try recipe(item), count: targets.count)
        try limits.check(canvas: recipe.size)
        var pictures: [PicturePlan] = []
        for target in targets { pictures.append(try plan(target)) }
        guard !pictures.isEmpty else { throw .heic("has an overlay without pictures") }
        return derived(recipe.size, .overlay(recipe, pictures), of: pictures)
    }

    /// An identity, or a tone-mapped picture, whose base is its first input.
    private mutating func same(_ id: UInt32) throws(MediaError) -> PicturePlan {
        guard let target = items.references.targets("dimg", of: id).first else {
            throw .heic("has a derived picture without an input")
        }
        let picture = try plan(target)
        return derived(picture.shown, .same([picture]), of: [picture])
    }

    private func derived(
        _ size: PixelSize, _ content: PicturePlan.Content, of pictures: [PicturePlan]
    ) -> PicturePlan {
        PicturePlan(
            size: size, content: content, view: PictureView(of: size), color: pictures[0].color,
            depth: pictures[0].depth, codec: pictures[0].codec)
    }

    /// The data of a derived picture; an overlay's has 8 bytes per picture.
    private func recipe(_ item: HEIFItem) throws(MediaError) -> [UInt8] {
        guard try bytes.count(of: item) <= 1 << 20 else { throw .heic("has a recipe too long") }
        return try bytes.read(item, limits, CancellationFlag())
    }
}
