import BlogRendering

/// What `blog help --json` prints, for programs: the tables that the help and the parser use.
package enum HelpJSON {
    /// All commands, and what applies to all of them.
    package static func overview(version: String) -> String {
        let whole: JSONText = [
            "version": version, "commands": Commands.all.map(command), "globalOptions": Option.global.map(option),
            "settings": Settings.table.map { setting -> JSONText in
                ["name": setting.name, "meaning": setting.meaning, "default": setting.usualValue]
            },
            "environment": Help.variables.map { name, meaning -> JSONText in ["names": name, "meaning": meaning] },
            "exitCodes": Help.exitCodes.map { codes, meaning -> JSONText in ["codes": codes, "meaning": meaning] },
            "search": Help.searchForms.map { forms, meaning -> JSONText in ["forms": forms, "meaning": meaning] },
        ]
        return whole.json + "\n"
    }

    /// One command.
    package static func page(_ description: CommandDescription) -> String { command(description).json + "\n" }

    private static func command(_ command: CommandDescription) -> JSONText {
        [
            "name": command.name, "summary": command.summary, "operands": command.operands,
            "choices": command.choices.isEmpty ? nil : command.choices, "options": command.options.map(option),
            "formats": command.formats.map(\.rawValue) + command.otherFormats,
            "fields": command.fields.map { field -> JSONText in ["name": field, "type": type(of: field, in: command)] },
            "examples": command.examples.map { line, meaning -> JSONText in ["command": line, "meaning": meaning] },
        ]
    }

    private static func option(_ option: Option) -> JSONText {
        let (value, placeholder, choices): (String, String?, [String]?) =
            switch option.value {
            case .none: ("none", nil, nil)
            case .some(let placeholder): ("required", placeholder, nil)
            case .optional(let placeholder): ("optional", placeholder, nil)
            case .oneOf(let words): ("required", nil, words)
            }
        return [
            "name": option.name, "letter": option.letter.map { String($0) }, "value": value,
            "placeholder": placeholder, "choices": choices, "default": defaultValue(of: option),
            "environment": option.environment, "isList": option.isList, "isNegatable": option.isNegatable,
            "help": option.help,
        ]
    }

    /// The setting's default, or what the help has in brackets; nil for none.
    private static func defaultValue(of option: Option) -> String? {
        if let setting = Settings.table.first(where: { $0.name == option.name }) { return setting.usualValue }
        guard let start = option.help.firstIndex(of: "["), let end = option.help[start...].firstIndex(of: "]") else {
            return nil
        }
        return String(option.help[option.help.index(after: start)..<end])
    }

    /// The type of a field's value in JSON: `string`, `date` (a string), `number`, `boolean`, `array` or `object`.
    package static func type(of name: String, in command: CommandDescription) -> String {
        let isOfPosts = command.fields.contains(Field.publishDate.rawValue)
        if isOfPosts, let field = Field(rawValue: name) { return field.type }
        return numbers.contains(name) ? "number" : dates.contains(name) ? "date" : "string"
    }

    /// The facts about sources and the like that are numbers.
    private static let numbers: Set = [
        "posts", "bodies", "unread", "comments", "marksToSend", "postsToCome", "new", "updated", "unchanged", "failed",
        "deleted", "number", "bytes", "schemaVersion", "articles", "pictures", "pictureBytes", "of",
    ]
    private static let dates: Set = ["refreshedAt", "failedAt", "dueAt", "latest"]
}

extension Field {
    fileprivate var type: String {
        switch self {
        case .publishDate, .updated, .changed: "date"
        case .score, .commentCount, .rank, .rating, .views, .votes: "number"
        case .read, .saved, .nsfw: "boolean"
        case .comments, .labels, .duplicates, .tags, .enclosures: "array"
        case .author, .article, .photo, .camera, .place: "object"
        case .id, .title, .postId, .summary, .authorName, .authorTitle, .authorImage, .authorImageURL, .link, .parent,
            .story, .body, .snippet, .snippetPlace, .source, .image, .type, .category, .lens, .license:
            "string"
        }
    }
}
