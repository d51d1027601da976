// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A module of the library; it may import its declared dependencies only (`make strict`).
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// `LAZYIMG_TESTS=LazyGIF,LazyPNG swift build --build-tests` builds the tests of these modules only.
let onlyTests = Context.environment["LAZYIMG_TESTS"]?.split(separator: ",").map { "\($0)Tests" }

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name), "Support"] + dependencies,
        swiftSettings: settings)
}

let package = Package(
    name: "lazyimg",
    products: [
        .library(name: "LazyKit", targets: ["LazyKit"]),
        .library(name: "LazyMedia", targets: ["LazyMedia"]),
        .library(
            name: "LazyPipeline",
            targets: ["LazyPipeline", "LazyLoading", "LazyCache", "LazyBytes"]),
        .library(name: "LazyEditing", targets: ["LazyEditing", "LazyMedia"]),
        .library(name: "LazyPreviews", targets: ["LazyPreviews", "LazyEditing", "LazyMedia"]),
        .library(name: "LazyHTTP", targets: ["LazyHTTP", "LazyLoading"]),
        .library(name: "LazyPublishers", targets: ["LazyPublishers"]),
        .library(name: "LazyTerminal", targets: ["LazyTerminal", "LazyEditing", "LazyMedia"]),
        .library(name: "LazyBatch", targets: ["LazyBatch", "LazyFiles"]),
        .library(
            name: "LazyGallery",
            targets: ["LazyGallery", "LazyBatch", "LazyEditing", "LazyFiles", "LazyMedia"]),
        .library(name: "LazyIsolation", targets: ["LazyIsolation", "LazyMedia"]),
        .executable(name: "lazyimg", targets: ["lazyimg"]),
        .executable(name: "lazyimg-decoder", targets: ["lazyimg-decoder"]),
    ],
    traits: [
        .trait(name: "Video", description: "Decode video and the stills that FFmpeg reads."),
        .trait(name: "OpenCombine", description: "Publishers of the same events."),
        .default(enabledTraits: ["Video", "OpenCombine"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // Layer 0: C. A module map and what Swift cannot import.
        .systemLibrary(name: "CGIF", providers: [.apt(["libgif-dev"])]),
        .target(name: "CPNG", linkerSettings: [.linkedLibrary("png16"), .linkedLibrary("z")]),
        .target(
            name: "CScanline", linkerSettings: [.linkedLibrary("isal"), .linkedLibrary("z")]),
        .target(name: "CLibrary", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CFFmpeg", dependencies: ["CLibrary"]),
        .target(name: "CDigest"),
        .target(name: "CWall"),
        .target(name: "CLazySystem"),
        .target(name: "CChecksum", linkerSettings: [.linkedLibrary("isal")]),
        .target(name: "CCurl", dependencies: ["CLibrary"]),
        .target(name: "CSystemBus", dependencies: ["CLibrary"]),
        .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .systemLibrary(name: "CWebP", providers: [.apt(["libwebp-dev"])]),
        .target(name: "CAVIF", dependencies: ["CLibrary"]),
        .target(name: "CColor"),
        .target(name: "CDeinterlace"),
        .target(name: "CLCMS", dependencies: ["CLibrary"]),
        .target(name: "CASS", dependencies: ["CLibrary"]),
        .target(name: "CFontconfig", dependencies: ["CLibrary"]),
        .target(name: "CTIFF", dependencies: ["CLibrary"]),
        .target(name: "CJXL", dependencies: ["CLibrary"]),
        // Layer 1: locks, pools and bytes; what media is; where bytes are kept.
        module("LazyBytes", ["CDigest", "CLazySystem"]),
        module("LazyMedia", ["LazyBytes"]),
        module("LazyCache", ["LazyBytes", "CChecksum"]),
        // Layer 2: how bytes arrive, and one module per format library.
        module("LazyLoading", ["LazyBytes", "LazyCache", "CSystemBus"]),
        module("LazyColor", ["LazyBytes", "LazyMedia", "CColor", "CLCMS"]),
        module("LazyGIF", ["LazyBytes", "LazyMedia", "CGIF"]),
        module("LazyVideo", ["LazyBytes", "LazyMedia", "LazyColor", "CDeinterlace", "CFFmpeg"]),
        module("LazyPNG", ["LazyBytes", "LazyMedia", "LazyColor", "CPNG", "CScanline"]),
        module("LazyJPEG", ["LazyMedia", "LazyColor", "CJPEG"]),
        module("LazyWebP", ["LazyBytes", "LazyMedia", "LazyColor", "CWebP"]),
        module("LazyAVIF", ["LazyMedia", "LazyColor", "CAVIF"]),
        module("LazyJXL", ["LazyBytes", "LazyMedia", "LazyColor", "CJXL"]),
        // Its pictures are decoded by LazyVideo, which LazyKit gives it.
        module("LazyHEIC", ["LazyBytes", "LazyMedia", "LazyColor"]),
        module("LazyBMP", ["LazyMedia", "LazyColor"]),
        module("LazyTIFF", ["LazyBytes", "LazyMedia", "LazyColor", "CTIFF"]),
        // Decoding in processes of their own.
        module("LazyIsolation", ["LazyBytes", "LazyMedia", "CWall"]),
        module("LazyText", ["LazyBytes", "LazyMedia", "CASS", "CFontconfig"]),
        module("LazyEditing", ["LazyBytes", "LazyMedia", "LazyText"]),
        // Layer 3: the network, and where bytes and pixels meet.
        module("LazyHTTP", ["LazyBytes", "LazyLoading", "CCurl", "CLibrary"]),
        module(
            "LazyPipeline",
            [
                "LazyBytes", "LazyCache", "LazyEditing", "LazyLoading", "LazyMedia",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        // Small pictures out of moving ones.
        module("LazyPreviews", ["LazyBytes", "LazyEditing", "LazyMedia"]),
        // Layer 4: models.
        module("LazyUI", ["LazyBytes", "LazyLoading", "LazyMedia", "LazyPipeline"]),
        // Layer 5: the ready-made whole, and publishers.
        module(
            "LazyKit",
            [
                "LazyBytes", "LazyCache", "LazyColor", "LazyEditing", "LazyIsolation",
                "LazyLoading", "LazyHTTP", "LazyMedia", "LazyPipeline", "LazyPreviews", "LazyUI",
                "LazyGIF", "LazyPNG", "LazyJPEG",
                "LazyWebP", "LazyAVIF", "LazyJXL", "LazyTIFF", "LazyText", "LazyBMP",
                .target(name: "LazyHEIC", condition: .when(traits: ["Video"])),
                .target(name: "LazyVideo", condition: .when(traits: ["Video"])),
            ]),
        module(
            "LazyPublishers",
            [
                "LazyBytes", "LazyLoading", "LazyMedia", "LazyPipeline", "LazyUI",
                .product(
                    name: "OpenCombine", package: "OpenCombine",
                    condition: .when(traits: ["OpenCombine"])),
                .product(
                    name: "OpenCombineDispatch", package: "OpenCombine",
                    condition: .when(traits: ["OpenCombine"])),
            ]),
        // Names of files as bytes, files that appear complete, JSON text.
        module("LazyFiles", ["LazyBytes"]),
        // Layer 6: playing in a terminal, and batches.
        module(
            "LazyTerminal",
            ["LazyBytes", "LazyEditing", "LazyFiles", "LazyKit", "LazyMedia"]),
        module("LazyBatch", ["LazyBytes", "LazyFiles", "LazyLoading"]),
        // A page of many files.
        module(
            "LazyGallery",
            [
                "LazyBatch", "LazyBytes", "LazyEditing", "LazyFiles", "LazyMedia", "LazyPreviews",
            ]),
        // Layer 7: the command line and its parts.
        module(
            "CommandSupport",
            [
                "LazyBytes", "LazyCache", "LazyEditing", "LazyFiles", "LazyHTTP", "LazyIsolation",
                "LazyKit", "LazyLoading", "LazyMedia", "LazyPipeline", "LazyPreviews",
            ]),
        module(
            "MediaJobs",
            [
                "CommandSupport", "LazyBatch", "LazyBytes", "LazyCache", "LazyEditing", "LazyFiles",
                "LazyKit", "LazyLoading", "LazyMedia", "LazyPipeline", "LazyPreviews", "LazyTerminal",
            ]),
        module(
            "LazyCommands",
            [
                "CommandSupport", "LazyBatch", "LazyBytes", "LazyCache", "LazyEditing", "LazyFiles",
                "LazyGallery", "LazyIsolation", "LazyKit", "LazyLoading", "LazyMedia",
                "LazyPreviews", "LazyTerminal", "MediaJobs",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .target(name: "CConformances"),
        .executableTarget(
            name: "lazyimg", dependencies: ["LazyCommands", "CConformances"],
            swiftSettings: settings),
        // Decodes for programs that isolate; lazyimg does it itself.
        .executableTarget(
            name: "lazyimg-decoder", dependencies: ["LazyKit", "CConformances"],
            swiftSettings: settings),
        // Tests mirror the sources one to one.
        .target(name: "CTestIsolation", path: "Tests/CTestIsolation"),
        .target(
            name: "Support",
            dependencies: ["LazyBytes", "LazyMedia", "LazyLoading", "CTestIsolation"],
            path: "Tests/Support", swiftSettings: settings),
        .target(
            name: "CBusMock", path: "Tests/CBusMock", linkerSettings: [.linkedLibrary("dl")]),
        .target(
            name: "HTTPSupport", dependencies: ["LazyBytes", "CBusMock"],
            path: "Tests/HTTPSupport",
            swiftSettings: settings),
        .target(
            name: "BrowserSupport", dependencies: ["LazyBytes", "HTTPSupport"],
            path: "Tests/BrowserSupport", swiftSettings: settings),
        .executableTarget(
            name: "CacheWorker", dependencies: ["LazyBytes", "LazyCache"],
            path: "Tests/CacheWorker", swiftSettings: settings),
        .executableTarget(
            name: "MemoryWorker", dependencies: ["LazyBytes", "LazyMedia", "LazyPipeline"],
            path: "Tests/MemoryWorker", swiftSettings: settings),
        .testTarget(
            name: "SupportTests", dependencies: ["Support", "CTestIsolation"],
            swiftSettings: settings),
        .testTarget(
            name: "CConformancesTests", dependencies: ["CConformances"], swiftSettings: settings),
        tests(of: "LazyBytes", ["CDigest"]),
        tests(of: "LazyMedia", ["LazyBytes"]),
        tests(of: "LazyColor", ["LazyMedia", "CColor", "CLCMS"]),
        tests(of: "LazyCache", ["LazyBytes", "CLazySystem", "CacheWorker"]),
        tests(
            of: "LazyLoading",
            ["LazyBytes", "LazyCache", "LazyHTTP", "HTTPSupport", "CSystemBus"]),
        tests(
            of: "LazyHTTP", ["LazyBytes", "LazyLoading", "HTTPSupport", "CCurl", "CLibrary"]),
        tests(of: "LazyGIF", ["LazyMedia", "CGIF"]),
        tests(of: "LazyVideo", ["LazyMedia", "LazyPNG", "LazyJPEG", "LazyWebP", "CLibrary"]),
        tests(of: "LazyPNG", ["LazyMedia", "LazyVideo", "CScanline"]),
        tests(of: "LazyJPEG", ["LazyMedia"]),
        .systemLibrary(
            name: "CWebPDemux", path: "Tests/CWebPDemux", providers: [.apt(["libwebp-dev"])]),
        tests(of: "LazyWebP", ["LazyBytes", "LazyMedia", "CWebPDemux"]),
        tests(of: "LazyAVIF", ["LazyMedia"]),
        tests(of: "LazyJXL", ["LazyMedia", "LazyGIF", "LazyPNG"]),
        tests(of: "LazyHEIC", ["LazyMedia", "LazyVideo", "LazyPNG"]),
        tests(of: "LazyBMP", ["LazyMedia", "LazyPNG"]),
        tests(of: "LazyTIFF", ["LazyMedia", "LazyPNG"]),
        .target(name: "CHostile", path: "Tests/CHostile"),
        .executableTarget(
            name: "HostileDecoder", dependencies: ["CHostile", "LazyIsolation", "LazyMedia"],
            path: "Tests/HostileDecoder", swiftSettings: settings),
        tests(
            of: "LazyIsolation",
            [
                "LazyBytes", "LazyKit", "LazyMedia", "LazyPNG", "CWall", "HostileDecoder",
                "lazyimg-decoder", "lazyimg", "ToolSupport",
            ]),
        tests(of: "LazyText", ["LazyMedia"]),
        tests(
            of: "LazyEditing",
            ["LazyBytes", "LazyMedia", "LazyGIF", "LazyPNG", "LazyVideo"]),
        tests(
            of: "LazyPreviews",
            [
                "LazyBytes", "LazyEditing", "LazyMedia", "LazyGIF", "LazyPNG", "LazyJPEG",
                "LazyWebP", "LazyAVIF", "LazyVideo",
            ]),
        tests(
            of: "LazyPipeline",
            [
                "LazyBytes", "LazyCache", "LazyEditing", "LazyLoading", "LazyMedia", "LazyGIF",
                "LazyPNG", "LazyJPEG", "LazyVideo", "LazyHTTP", "HTTPSupport", "MemoryWorker",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ]),
        tests(
            of: "LazyUI",
            ["LazyBytes", "LazyLoading", "LazyMedia", "LazyPipeline", "LazyGIF"]),
        tests(
            of: "LazyPublishers",
            [
                "LazyBytes", "LazyMedia", "LazyPipeline", "LazyUI", "LazyLoading", "LazyGIF",
            ]),
        tests(
            of: "LazyKit",
            [
                "LazyBytes", "LazyEditing", "LazyLoading", "LazyMedia", "LazyPipeline",
                "LazyPreviews", "HTTPSupport", "BrowserSupport",
            ]),
        .target(
            name: "ToolSupport", dependencies: ["Support"], path: "Tests/ToolSupport",
            swiftSettings: settings),
        tests(of: "LazyFiles"),
        tests(
            of: "CommandSupport",
            ["LazyBytes", "LazyFiles", "LazyLoading", "LazyMedia", "ToolSupport"]),
        tests(
            of: "LazyTerminal",
            ["LazyBytes", "LazyMedia", "LazyPNG", "ToolSupport", "lazyimg"]),
        tests(of: "LazyBatch", ["LazyFiles", "ToolSupport"]),
        tests(
            of: "LazyGallery",
            [
                "BrowserSupport", "HTTPSupport", "LazyBatch", "LazyBytes", "LazyFiles", "LazyGIF",
                "LazyKit", "LazyMedia", "LazyPNG", "LazyPreviews",
            ]),
        tests(of: "MediaJobs", ["CommandSupport", "LazyFiles", "LazyMedia"]),
        tests(
            of: "LazyCommands",
            [
                "CommandSupport", "LazyBatch", "LazyBytes", "LazyEditing", "LazyFiles",
                "LazyIsolation", "LazyKit", "LazyLoading", "LazyMedia", "LazyPreviews",
                "LazyTerminal", "MediaJobs", "HTTPSupport", "ToolSupport", "lazyimg",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ]
)

if let onlyTests {
    package.targets.removeAll { $0.type == .test && !onlyTests.contains($0.name) }
}
