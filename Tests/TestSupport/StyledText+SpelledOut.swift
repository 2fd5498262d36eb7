import BlogRendering

extension StyledText {
    /// The text with its styles and links around it: `a <strong>b</> <link,http://x.y>c</>`.
    package var spelledOut: String {
        runs.map { run in
            let marks = run.styles.map { "\($0)" } + (run.link.map { [$0] } ?? [])
            return marks.isEmpty ? run.text : "<\(marks.joined(separator: ","))>\(run.text)</>"
        }.joined()
    }
}
