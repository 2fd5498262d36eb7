// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A layer of the program, which may depend on the layers before it.
func layer(_ name: String, _ dependencies: [Target.Dependency] = [], linkerSettings: [LinkerSetting] = []) -> Target {
    .target(
        name: name, dependencies: ["Essentials"] + dependencies, swiftSettings: strict, linkerSettings: linkerSettings)
}

let package = Package(
    name: "blog",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "BlogKit", targets: ["BlogKit"]),
        .executable(name: "blog", targets: ["blog"]),
    ],
    dependencies: [],
    targets: [
        // Replaces Foundation: on Linux, its part without ICU.
        .target(name: "Essentials", swiftSettings: strict),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CCurl"),
        layer("Model"),
        layer("Markup", ["Model"], linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
        layer("HTTP", ["Model", .target(name: "CCurl", condition: .when(platforms: [.linux]))]),
        layer("Feeds", ["Model", "Markup"]),
        layer(
            "SQLite", ["CSQLite"],
            linkerSettings: [
                // The toolchain needs this file, so it exists even without SQLite's -dev package.
                .linkedLibrary(":libsqlite3.so.0", .when(platforms: [.linux])),
                .linkedLibrary("sqlite3", .when(platforms: [.macOS])),
            ]),
        layer("Store", ["Model", "Markup", "SQLite"]),
        layer("Rendering", ["Model", "Markup", "Store"]),
        // The library without URLSession: on Linux, the command uses libcurl, and starts in half the time because
        // FoundationNetworking isn't loaded.
        layer("BlogLibrary", ["Model", "Markup", "HTTP", "Feeds", "Store", "Rendering"]),
        layer("BlogKit", ["Model", "Markup", "HTTP", "Store", "Rendering", "BlogLibrary"]),
        layer("Terminal", ["Model", "Markup", "HTTP", "Rendering", "BlogLibrary"]),
        // The full-screen reader as a pure state machine, without a terminal.
        layer("Browse", ["Model", "Markup", "Store", "Rendering", "BlogLibrary", "Terminal"]),
        // What can be typed: arguments, help, manual pages, completion and settings, from one table of commands.
        layer("CommandLine", ["Model", "Rendering", "BlogLibrary", "Terminal", "Browse", "Markup"]),
        .executableTarget(
            name: "blog",
            dependencies: [
                "Essentials", "Model", "Markup", "HTTP", "Feeds", "Store", "Rendering", "BlogLibrary", "Terminal",
                "Browse", "CommandLine", .target(name: "BlogKit", condition: .when(platforms: [.macOS])),
            ],
            swiftSettings: strict
        ),
        .target(name: "MockServer", path: "mocks/MockServer", swiftSettings: strict),
        .executableTarget(
            name: "mock-server", dependencies: ["MockServer"], path: "mocks/mock-server", swiftSettings: strict),
        // Extracts the articles of pages, for Benchmarks/articles.
        .executableTarget(
            name: "article-of-page", dependencies: ["Markup"], path: "Benchmarks/article-of-page",
            swiftSettings: strict),
        // The examples in the library's documentation, which use only its public API.
        .executableTarget(
            name: "ReadTheAPI", dependencies: ["BlogKit"], path: "docs/examples",
            exclude: ["KeepPosts.swift", "SearchAFeed.swift"], sources: ["ReadTheAPI.swift"],
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "KeepPosts", dependencies: ["BlogKit"], path: "docs/examples",
            exclude: ["ReadTheAPI.swift", "SearchAFeed.swift"], sources: ["KeepPosts.swift"],
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "SearchAFeed", dependencies: ["BlogKit"], path: "docs/examples",
            exclude: ["ReadTheAPI.swift", "KeepPosts.swift"], sources: ["SearchAFeed.swift"],
            packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "BlogKitTests",
            dependencies: [
                "Model", "Markup", "HTTP", "Feeds", "SQLite", "Store", "Rendering", "BlogLibrary", "BlogKit",
                "MockServer",
            ],
            exclude: ["Fixtures"],
            swiftSettings: strict),
        .testTarget(
            name: "BlogTests",
            dependencies: [
                "Model", "Markup", "HTTP", "Feeds", "SQLite", "Store", "Rendering", "BlogLibrary", "Terminal", "Browse",
                "CommandLine", "blog", "MockServer",
            ],
            exclude: ["Certificates"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
