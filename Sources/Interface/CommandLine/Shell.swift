import BlogEssentials
import BlogMarkup

/// A shell, and its script for completion, which calls `blog` for candidates.
package enum Shell: String, CaseIterable {
    case bash, zsh, fish

    package var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// Without `-r`, `read` keeps an escaped space in its word.
    private static let bashScript = #"""
        # blog completions bash: add this to ~/.bashrc:  eval "$(blog completions bash)"
        # or install it as share/bash-completion/completions/blog
        _blog() {
            local line=${COMP_LINE:0:COMP_POINT} word rest
            local -a words
            read -a words <<< "$line"
            [[ $line == *[^\\][[:space:]] ]] && words+=("")
            COMPREPLY=()
            while IFS=$'\t' read -r word rest; do
                # Titles of posts are shown in a list of candidates only: a single one is inserted.
                case ${COMP_TYPE:-9} in 33 | 63 | 64) word+=${rest:+  ($rest)} ;; esac
                COMPREPLY+=("$word")
            done < <(blog \#(Completion.request) bash "${words[@]:1}" 2>/dev/null)
            [[ ${#COMPREPLY[@]} == 1 ]] && COMPREPLY=("${COMPREPLY[0]%%  (*}")
        }
        complete -o default -F _blog blog

        """#

    private static let zshScript = #"""
        #compdef blog
        # blog completions zsh: add this to ~/.zshrc, after compinit:  eval "$(blog completions zsh)"
        # or install it as _blog in a directory in $fpath
        _blog() {
            local word meaning
            local -a found
            while IFS=$'\t' read -r word meaning; do
                word=${word//\\/\\\\}
                found+=("${word//:/\\:}${meaning:+:$meaning}")
            done < <(blog \#(Completion.request) zsh "${(@Q)words[2,CURRENT]}" 2>/dev/null)
            if (( $#found )); then _describe -V blog found; else _files; fi
        }
        # As a file _blog in fpath, this is the function itself, called at the first Tab.
        if [[ $funcstack[1] == _blog ]]; then _blog "$@"; else compdef _blog blog; fi

        """#

    private static let fishScript = #"""
        # blog completions fish: blog completions fish > ~/.config/fish/completions/blog.fish
        function __blog_candidates
            set -l words (commandline -opc) (commandline -ct | string unescape)
            set -l found (blog \#(Completion.request) fish $words[2..] 2>/dev/null)
            if set -q found[1]
                printf '%s\n' $found
            else
                __fish_complete_path (commandline -ct)
            end
        end
        complete -c blog -f -k -a '(__blog_candidates)'

        """#
}

extension Shell {
    /// The end of a completed word as the shell's script inserts it in place of what was typed.
    ///
    /// bash inserts it unchanged, and only after the last `=` or `:`; the other shells quote what they insert. Names come
    /// from strangers, so everything is escaped that isn't a letter by itself or without meaning in any place.
    package func inserted(_ word: String, over typed: String) -> String {
        guard self == .bash else { return word }
        let start = typed.unicodeScalars.lastIndex { $0 == "=" || $0 == ":" }.map { typed.unicodeScalars[...$0].count }
        return String(String.UnicodeScalarView(word.unicodeScalars.dropFirst(start ?? 0))).escaping {
            !Self.isPlain($0)
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return UInt8(ascii: scalar).isASCIIAlphanumeric
                || "-_./:@%+,=".unicodeScalars.contains(scalar)
        }
        return switch scalar.properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter: true
        default: false
        }
    }
}
