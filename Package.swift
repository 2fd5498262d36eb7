// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A layer of the program: it knows those that stand before it in the list of targets, and of them what it names.
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
        // Stands in for Foundation, of which Linux gets the part without ICU.
        .target(name: "Essentials", swiftSettings: strict),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CCurl"),
        layer("Model"),
        layer("Markup", ["Model"], linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
        layer(
            "HTTP", ["Model", .target(name: "CCurl", condition: .when(platforms: [.linux]))]),
        layer("Feeds", ["Model", "Markup", "HTTP"]),
        layer(
            "SQLite", ["CSQLite"],
            linkerSettings: [
                // The toolchain itself needs this file, so it is there even where no -dev package is installed.
                .linkedLibrary(":libsqlite3.so.0", .when(platforms: [.linux])),
                .linkedLibrary("sqlite3", .when(platforms: [.macOS])),
            ]),
        layer("Store", ["Model", "Markup", "HTTP", "SQLite"]),
        layer("Rendering", ["Model", "Markup", "Store"]),
        // The library without URLSession: on Linux the command carries its requests with libcurl, and starts in half the
        // time where FoundationNetworking need not be loaded.
        layer("BlogLibrary", ["Model", "Markup", "HTTP", "Feeds", "Store", "Rendering"]),
        layer("BlogKit", ["Model", "Markup", "HTTP", "Store", "Rendering", "BlogLibrary"]),
        layer("Terminal", ["Model", "Markup", "HTTP", "Rendering", "BlogLibrary"]),
        // The full-screen reader without a screen: what it shows follows from what happened, and nothing else.
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
        // Prints the articles of pages, for Benchmarks/articles.
        .executableTarget(
            name: "article-of-page", dependencies: ["Markup"], path: "Benchmarks/article-of-page",
            swiftSettings: strict),
        // The programs that the library's articles quote, which see only what is public.
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
