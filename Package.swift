// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library of the house: its arrows are its dependencies, and nothing else may be imported.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

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
        .executable(name: "lazyimg", targets: ["lazyimg"]),
    ],
    traits: [
        .trait(name: "Video", description: "Decode video and the stills that FFmpeg reads."),
        .default(enabledTraits: ["Video"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // Floor 0: C. A module map and what Swift cannot import.
        .systemLibrary(name: "CGIF", providers: [.apt(["libgif-dev"])]),
        .target(name: "CPNG", linkerSettings: [.linkedLibrary("png16")]),
        .target(name: "CScanline", linkerSettings: [.linkedLibrary("isal")]),
        .target(name: "CFFmpeg", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CDigest", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CSystem"),
        // Floor 1: the words everybody shares.
        room("LazyMedia"),
        // Floor 2: one module per format library.
        room("LazyGIF", ["LazyMedia", "CGIF"]),
        room("LazyVideo", ["LazyMedia", "CFFmpeg"]),
        room("LazyPNG", ["LazyMedia", "CPNG", "CScanline"]),
        // Floor 4: the ready-made whole.
        room(
            "LazyKit",
            [
                "LazyMedia", "LazyGIF", "LazyPNG",
                .target(name: "LazyVideo", condition: .when(traits: ["Video"])),
            ]),
        // Floor 5 and 6: the command line.
        room(
            "LazyCommands",
            [
                "LazyKit", "LazyMedia", "LazyPNG", "CDigest", "CSystem",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(name: "lazyimg", dependencies: ["LazyCommands"], swiftSettings: settings),
        // Tests mirror the sources one to one.
        .target(
            name: "Support", dependencies: ["LazyMedia"], path: "Tests/Support",
            swiftSettings: settings),
        tests(of: "LazyMedia"),
        tests(of: "LazyGIF", ["LazyMedia", "CGIF"]),
        tests(of: "LazyVideo", ["LazyMedia"]),
        tests(of: "LazyPNG", ["LazyMedia", "CScanline"]),
        tests(of: "LazyKit", ["LazyMedia"]),
        tests(
            of: "LazyCommands",
            [
                "LazyMedia", "LazyKit", "lazyimg",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ]
)
