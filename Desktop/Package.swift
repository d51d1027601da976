// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that only those who want a window build with GTK.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
let kit: [Target.Dependency] = ["LazyKit", "LazyMedia", "LazyPipeline"].map {
    .product(name: $0, package: "lazyimg")
}

let package = Package(
    name: "Desktop",
    products: [
        .library(name: "LazyGTK", targets: ["LazyGTK"]),
        .executable(name: "lazyimg-view", targets: ["lazyimg-view"]),
    ],
    dependencies: [
        .package(name: "lazyimg", path: ".."),
        .package(
            url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    ],
    targets: [
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        // The widget's GObject class, and what Swift cannot import: macros and varargs.
        .target(name: "CLazyGTK", dependencies: ["CGTK"]),
        .target(
            name: "LazyGTK", dependencies: ["CGTK", "CLazyGTK"] + kit, swiftSettings: settings),
        // The program is a library, so that its decisions are tested.
        .target(
            name: "LazyViewer",
            dependencies: ["CGTK", "CLazyGTK", "LazyGTK"] + kit + [
                .product(name: "LazyOptions", package: "lazyimg"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "lazyimg-view", dependencies: ["LazyViewer"], swiftSettings: settings),
        .executableTarget(
            name: "GTKBenchmark",
            dependencies: ["CGTK", "CLazyGTK", "LazyGTK", "LazyViewer"] + kit,
            path: "Benchmarks/GTKBenchmark", swiftSettings: settings),
        // GTK owns the main thread of its process: the tests open windows in another one.
        .executableTarget(
            name: "GTKScenarios", dependencies: ["CGTK", "CLazyGTK", "LazyGTK"] + kit,
            path: "Tests/GTKScenarios", swiftSettings: settings),
        .target(
            name: "DesktopSupport", path: "Tests/DesktopSupport", exclude: ["server.py"],
            swiftSettings: settings),
        .testTarget(
            name: "LazyGTKTests",
            dependencies: ["LazyGTK", "DesktopSupport", "GTKScenarios"] + kit,
            swiftSettings: settings),
        .testTarget(
            name: "LazyViewerTests",
            dependencies: ["LazyViewer", "DesktopSupport", "GTKScenarios", "lazyimg-view"] + kit,
            swiftSettings: settings),
    ]
)
