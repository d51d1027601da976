// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// C code in `Sources/C`, which one folder of a module wraps.
func c(
    _ name: String, _ dependencies: [Target.Dependency] = [], links libraries: [String] = [],
    excluding pages: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/C/\(name)", exclude: pages,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// The headers of a library that Swift imports as they are.
func system(_ name: String, of package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", providers: [.apt([package])])
}

/// A module of the library; it may import its declared dependencies only (`make strict`).
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// `LAZYIMG_TESTS=GIF,PNG swift build --build-tests` builds these tests only.
let onlyTests = Context.environment["LAZYIMG_TESTS"]?.split(separator: ",").map { "\($0)Tests" }

/// The tests of a module, or of the folder of a module.
func tests(
    _ name: String, of module: String, _ dependencies: [Target.Dependency] = [],
    excluding files: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: module), "Support"] + dependencies, exclude: files,
        swiftSettings: settings)
}

func tests(
    of module: String, _ dependencies: [Target.Dependency] = [], excluding files: [String] = []
) -> Target {
    tests(module, of: module, dependencies, excluding: files)
}

let package = Package(
    name: "lazyimg",
    products: [
        .library(name: "LazyKit", targets: ["LazyKit"]),
        .library(name: "LazyMedia", targets: ["LazyMedia"]),
        .library(name: "LazyPipeline", targets: ["LazyPipeline", "LazyLoading", "LazyBase"]),
        .library(name: "LazyEditing", targets: ["LazyEditing", "LazyMedia"]),
        .library(name: "LazyRenditions", targets: ["LazyRenditions", "LazyEditing", "LazyMedia"]),
        .library(name: "LazyLoading", targets: ["LazyLoading"]),
        .library(name: "LazyPublishers", targets: ["LazyPublishers"]),
        .library(name: "LazyTerminal", targets: ["LazyTerminal", "LazyEditing", "LazyMedia"]),
        .library(name: "LazyBatch", targets: ["LazyBatch", "LazyBase"]),
        .library(
            name: "LazyGallery",
            targets: ["LazyGallery", "LazyBatch", "LazyEditing", "LazyBase", "LazyMedia"]),
        .library(name: "LazyIsolation", targets: ["LazyIsolation", "LazyMedia"]),
        .library(name: "LazyService", targets: ["LazyService"]),
        .library(name: "LazyOptions", targets: ["LazyOptions"]),
        .executable(name: "lazyimg", targets: ["lazyimg"]),
        .executable(name: "lazyimg-decoder", targets: ["lazyimg-decoder"]),
    ],
    traits: [
        .trait(name: "Video", description: "Decode video and the stills that FFmpeg reads."),
        .trait(name: "OpenCombine", description: "Publishers of the same events."),
        .default(enabledTraits: ["Video"]),
    ],
    dependencies: [
        .package(
            url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // Layer 0: C. What is linked, and tables of functions that `dlopen` fills on first use.
        // swift-system has a CSystem.
        c("CLazySystem"),
        c("CSandbox"),
        c("CKernels", links: ["isal", "z"]),
        system("CGIF", of: "libgif-dev"),
        c("CPNG", links: ["png16", "z"]),
        c("CJPEG", links: ["jpeg"]),
        system("CWebP", of: "libwebp-dev"),
        c("CLibrary", links: ["dl"]),
        c("CTricks", ["CLibrary"], excluding: ["README.md"]),
        c("CFFmpeg", ["CLibrary", "CTricks"]),
        c("CAVIF", ["CLibrary"]),
        c("CJXL", ["CLibrary"]),
        c("CTIFF", ["CLibrary"]),
        c("CLCMS", ["CLibrary"]),
        c("CASS", ["CLibrary"]),
        c("CFontconfig", ["CLibrary"]),
        c("CCurl", ["CLibrary"]),
        c("CAES", ["CLibrary"]),
        c("CMagic", ["CLibrary"]),
        c("CSystemBus", ["CLibrary"]),
        // What all share: bytes, files, names, threads, time.
        module("LazyBase", ["CKernels", "CLazySystem"]),
        // Layer 1: what media is.
        module("LazyMedia", ["LazyBase", "CKernels", "CLCMS", "CMagic"]),
        // Layer 2: formats, one folder each, and FFmpeg.
        module(
            "LazyCodecs",
            [
                "LazyBase", "LazyMedia", "CAVIF", "CGIF", "CJPEG", "CJXL", "CKernels", "CPNG",
                "CTIFF", "CWebP",
            ]),
        module("LazyVideo", ["LazyBase", "LazyMedia", "CKernels", "CFFmpeg"]),
        // Layer 3: edits; how bytes arrive and where they are kept; decoding in other processes.
        module("LazyEditing", ["LazyBase", "LazyMedia", "CASS", "CFontconfig"]),
        module(
            "LazyLoading",
            ["LazyBase", "CAES", "CKernels", "CCurl", "CLibrary", "CSystemBus"]),
        module("LazyIsolation", ["LazyBase", "LazyMedia", "CSandbox"]),
        // Layer 4: small pictures out of moving ones; where bytes and pixels meet.
        module("LazyRenditions", ["LazyBase", "LazyEditing", "LazyMedia"]),
        module(
            "LazyPipeline",
            [
                "LazyBase", "LazyEditing", "LazyLoading", "LazyMedia", "LazyRenditions",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        // Layer 5: the ready-made whole.
        module(
            "LazyKit",
            [
                "LazyBase", "LazyCodecs", "LazyEditing", "LazyIsolation", "LazyLoading",
                "LazyMedia", "LazyPipeline", "LazyRenditions",
                .target(name: "LazyVideo", condition: .when(traits: ["Video"])),
            ]),
        // Layer 6: faces.
        module(
            "LazyPublishers",
            [
                "LazyBase", "LazyLoading", "LazyMedia", "LazyPipeline",
                .product(
                    name: "OpenCombine", package: "OpenCombine",
                    condition: .when(traits: ["OpenCombine"])),
                .product(
                    name: "OpenCombineDispatch", package: "OpenCombine",
                    condition: .when(traits: ["OpenCombine"])),
            ]),
        module("LazyTerminal", ["LazyBase", "LazyEditing", "LazyMedia"]),
        module("LazyBatch", ["LazyBase", "LazyLoading"]),
        module(
            "LazyGallery",
            ["LazyBase", "LazyBatch", "LazyEditing", "LazyMedia", "LazyPipeline", "LazyRenditions"]),
        // A service's words and rules of HTTP, without a network framework.
        module(
            "LazyService",
            [
                "LazyBase", "LazyEditing", "LazyLoading", "LazyMedia", "LazyPipeline",
                "LazyRenditions", .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ]),
        // What both programs take; no library needs it.
        module(
            "LazyOptions",
            [
                "LazyBase", "LazyEditing", "LazyLoading", "LazyMedia", "LazyPipeline",
                "LazyRenditions",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        module(
            "LazyCLI",
            [
                "LazyBase", "LazyBatch", "LazyEditing", "LazyGallery", "LazyIsolation", "LazyKit",
                "LazyLoading", "LazyMedia", "LazyOptions", "LazyPipeline", "LazyRenditions",
                "LazyTerminal",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Layer 7: programs. The second decodes for programs that isolate; lazyimg does it itself.
        .executableTarget(
            name: "lazyimg", dependencies: ["LazyCLI", "CTricks"], swiftSettings: settings),
        .executableTarget(
            name: "lazyimg-decoder", dependencies: ["LazyKit", "CTricks"],
            swiftSettings: settings),
        // Tests mirror the sources one to one.
        .target(name: "CTestIsolation", path: "Tests/CTestIsolation"),
        .target(
            name: "Support",
            dependencies: [
                "LazyBase", "LazyMedia", "LazyLoading", "LazyRenditions", "CTestIsolation",
            ],
            path: "Tests/Support", swiftSettings: settings),
        .target(
            name: "CBusMock", path: "Tests/CBusMock", linkerSettings: [.linkedLibrary("dl")]),
        .target(
            name: "HTTPSupport", dependencies: ["LazyBase", "CBusMock"],
            path: "Tests/HTTPSupport",
            swiftSettings: settings),
        .target(
            name: "BrowserSupport", dependencies: ["LazyBase", "HTTPSupport"],
            path: "Tests/BrowserSupport", swiftSettings: settings),
        .executableTarget(
            name: "CacheWorker", dependencies: ["LazyBase", "LazyLoading"],
            path: "Tests/CacheWorker", swiftSettings: settings),
        .executableTarget(
            name: "MemoryWorker",
            dependencies: ["LazyBase", "LazyLoading", "LazyMedia", "LazyPipeline"],
            path: "Tests/MemoryWorker", swiftSettings: settings),
        .testTarget(
            name: "SupportTests", dependencies: ["Support", "CTestIsolation"],
            swiftSettings: settings),
        .testTarget(
            name: "CTricksTests", dependencies: ["CTricks", "Support", "ToolSupport"],
            swiftSettings: settings),
        tests(of: "LazyBase", ["CKernels"]),
        tests(of: "LazyMedia", ["LazyBase"]),
        tests("Color", of: "LazyMedia", ["CKernels", "CLCMS"]),
        tests("Stores", of: "LazyLoading", ["LazyBase", "CLazySystem", "CacheWorker"]),
        tests(
            of: "LazyLoading",
            ["LazyBase", "HTTPSupport", "CSystemBus"]),
        tests("HTTP", of: "LazyLoading", ["LazyBase", "HTTPSupport", "CCurl", "CLibrary"]),
        tests("GIF", of: "LazyCodecs", ["LazyMedia", "CGIF"]),
        tests(of: "LazyVideo", ["LazyMedia", "LazyCodecs"]),
        tests("PNG", of: "LazyCodecs", ["LazyMedia", "LazyVideo", "CKernels"]),
        tests("JPEG", of: "LazyCodecs", ["LazyMedia"]),
        .systemLibrary(
            name: "CWebPDemux", path: "Tests/CWebPDemux", providers: [.apt(["libwebp-dev"])]),
        tests("WebP", of: "LazyCodecs", ["LazyBase", "LazyMedia", "CWebPDemux"]),
        tests("AVIF", of: "LazyCodecs", ["LazyMedia"]),
        tests("JXL", of: "LazyCodecs", ["LazyMedia"]),
        tests("HEIC", of: "LazyCodecs", ["LazyMedia", "LazyVideo"]),
        tests("BMP", of: "LazyCodecs", ["LazyMedia"]),
        tests("TIFF", of: "LazyCodecs", ["LazyMedia"]),
        .target(name: "CHostile", path: "Tests/CHostile"),
        .executableTarget(
            name: "HostileDecoder", dependencies: ["CHostile", "LazyIsolation", "LazyMedia"],
            path: "Tests/HostileDecoder", swiftSettings: settings),
        tests(
            of: "LazyIsolation",
            [
                "LazyBase", "LazyKit", "LazyMedia", "LazyCodecs", "CSandbox", "HostileDecoder",
                "lazyimg-decoder", "lazyimg", "ToolSupport",
            ]),
        tests("Text", of: "LazyEditing", ["LazyMedia"]),
        tests(
            of: "LazyEditing",
            ["LazyBase", "LazyMedia", "LazyCodecs", "LazyVideo"]),
        tests(
            of: "LazyRenditions",
            ["LazyBase", "LazyEditing", "LazyMedia", "LazyCodecs", "LazyVideo"]),
        tests(
            of: "LazyPipeline",
            [
                "LazyBase", "LazyLoading", "LazyEditing", "LazyMedia", "LazyCodecs", "LazyVideo",
                "LazyRenditions", "HTTPSupport", "MemoryWorker",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ]),
        tests(
            "Models", of: "LazyPipeline",
            ["LazyBase", "LazyLoading", "LazyMedia", "LazyCodecs"]),
        tests(
            of: "LazyPublishers",
            ["LazyBase", "LazyMedia", "LazyPipeline", "LazyLoading", "LazyCodecs"]),
        tests(
            of: "LazyKit",
            [
                "LazyBase", "LazyEditing", "LazyLoading", "LazyMedia", "LazyPipeline",
                "LazyRenditions", "HTTPSupport", "BrowserSupport",
            ]),
        .target(
            name: "ToolSupport", dependencies: ["Support"], path: "Tests/ToolSupport",
            swiftSettings: settings),
        tests(
            of: "LazyTerminal",
            ["LazyBase", "LazyMedia", "LazyCodecs", "ToolSupport", "lazyimg"]),
        tests(of: "LazyBatch", ["LazyBase", "ToolSupport"]),
        tests(
            of: "LazyGallery",
            [
                "BrowserSupport", "HTTPSupport", "LazyBatch", "LazyBase", "LazyCodecs", "LazyKit",
                "LazyMedia", "LazyRenditions",
            ]),
        tests(
            of: "LazyService",
            [
                "LazyBase", "LazyEditing", "LazyKit", "LazyLoading", "LazyMedia", "LazyPipeline",
                "LazyRenditions",
            ], excluding: ["Data"]),
        tests(
            of: "LazyOptions",
            [
                "LazyEditing", "LazyKit", "LazyMedia", "LazyRenditions",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        tests(
            of: "LazyCLI",
            [
                "LazyBatch", "LazyBase", "LazyEditing", "LazyIsolation", "LazyKit", "LazyLoading",
                "LazyMedia", "LazyPipeline", "LazyRenditions", "LazyTerminal", "HTTPSupport",
                "ToolSupport", "lazyimg",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ]
)

// The server is a package of its own (`Server/`), as nothing else needs what it does. Its tests are targets of this one
// where `LAZYIMG_TESTS` names them (`make test-server`), so that they are built on what is built already: what its
// targets depend on is in both manifests, because neither can read the other.
if onlyTests?.contains("LazyServerTests") == true {
    package.dependencies += [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(
            url: "https://github.com/apple/swift-configuration", from: "1.4.0",
            traits: ["JSON", "Reloading", "CommandLineArguments"]),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ]
    let library: [Target.Dependency] = [
        "LazyKit", "LazyPipeline", "LazyLoading", "LazyIsolation", "LazyService",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
    ]
    let server = "Server/Sources/"
    package.targets += [
        .target(
            name: "LazyServer",
            dependencies: library + [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ], path: server + "LazyServer", swiftSettings: settings),
        .executableTarget(
            name: "lazyimg-server",
            dependencies: library + [
                "LazyServer",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ], path: server + "lazyimg-server", swiftSettings: settings),
        .testTarget(
            name: "LazyServerTests",
            dependencies: library + [
                "LazyServer", "lazyimg-server",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ], path: "Server/Tests/LazyServerTests", swiftSettings: settings),
    ]
}

if let onlyTests {
    package.targets.removeAll { $0.type == .test && !onlyTests.contains($0.name) }
}
