# Installs blog: the program, its manual pages, completions and license. Everything else works without make.
#
#     make                            # builds the program, linked with the Swift runtime
#     make install PREFIX=~/.local    # DESTDIR= for packagers
#     make uninstall PREFIX=~/.local

PREFIX = /usr/local
DESTDIR =
# Most shells leave the ~ of PREFIX=~/.local as it is.
start = :start:
expanded = $(subst $(start),,$(subst $(start)~/,$(HOME)/,$(start)$(1)))
override PREFIX := $(call expanded,$(PREFIX))
override DESTDIR := $(call expanded,$(DESTDIR))
PRODUCT = blog
SWIFTFLAGS =
# Where SwiftPM builds; two builds at the same time need two folders.
SCRATCH ?= .build
# On Linux, the program contains the Swift runtime and each of several identical functions once; it exports no symbols,
# keeps no frame pointers, which only debuggers and profilers follow, and has no table for exceptions, which nothing in
# it throws. A function that takes a closure isn't copied for each closure, which would be 240 KB more and no faster. macOS
# has the runtime.
RELEASE_Linux = --static-swift-stdlib --omit-frame-pointers \
    -Xswiftc -Xllvm -Xswiftc -sil-disable-pass=closure-specialize \
    -Xlinker --no-export-dynamic -Xlinker --icf=safe -Xlinker --no-eh-frame-hdr
# For `blog --version`; an archive of the sources knows it already.
COMMIT = $(shell git describe --always --exclude '*' --abbrev=7 --dirty=-modified 2>/dev/null)
BUILD = BLOG_COMMIT="$(COMMIT)" swift build -c release --scratch-path "$(SCRATCH)" $(RELEASE_$(shell uname)) $(SWIFTFLAGS)
# What the installed program doesn't need: its symbols, which are more than half of it, and on Linux the descriptions of
# stack frames, which only the missing table leads to.
STRIP_Linux = strip -R .eh_frame
STRIP_Darwin = strip
STRIP = $(or $(STRIP_$(shell uname)),strip)
# The program to install, which generates its manual pages and completions.
BLOG = $(SCRATCH)/release/blog

BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d
DOCDIR = $(PREFIX)/share/doc/blog
# Units of systemd for users, which nothing enables; other systems have none.
UNITDIR = $(PREFIX)/lib/systemd/user
UNITS_Linux = blog-sync.service blog-sync.timer
UNITS = $(UNITS_$(shell uname))

all:
	$(BUILD) --product $(PRODUCT)

install:
	install -d "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)" \
	    "$(DESTDIR)$(DOCDIR)"
	install -m 755 "$(BLOG)" "$(DESTDIR)$(BINDIR)/blog"
	$(STRIP) "$(DESTDIR)$(BINDIR)/blog"
	set -e; for page in $$("$(BLOG)" __man --list); do \
	    folder="$(DESTDIR)$(MANDIR)/man$${page##*.}"; install -d "$$folder"; \
	    "$(BLOG)" __man "$$page" > "$$folder/$$page"; chmod 644 "$$folder/$$page"; \
	done
	"$(BLOG)" completions bash > "$(DESTDIR)$(BASHDIR)/blog"
	"$(BLOG)" completions zsh > "$(DESTDIR)$(ZSHDIR)/_blog"
	"$(BLOG)" completions fish > "$(DESTDIR)$(FISHDIR)/blog.fish"
	install -m 644 LICENSE "$(DESTDIR)$(DOCDIR)/LICENSE"
	set -e; for unit in $(UNITS); do \
	    install -d "$(DESTDIR)$(UNITDIR)"; \
	    sed 's|@BINDIR@|$(BINDIR)|' "Tools/systemd/$$unit" > "$(DESTDIR)$(UNITDIR)/$$unit"; \
	    chmod 644 "$(DESTDIR)$(UNITDIR)/$$unit"; \
	done
	chmod 644 "$(DESTDIR)$(BASHDIR)/blog" "$(DESTDIR)$(ZSHDIR)/_blog" "$(DESTDIR)$(FISHDIR)/blog.fish"

# The installed program lists its manual pages.
uninstall:
	set -e; for page in $$("$(DESTDIR)$(BINDIR)/blog" __man --list); do \
	    rm -f "$(DESTDIR)$(MANDIR)/man$${page##*.}/$$page"; \
	done
	rm -f "$(DESTDIR)$(BASHDIR)/blog" "$(DESTDIR)$(ZSHDIR)/_blog" "$(DESTDIR)$(FISHDIR)/blog.fish"
	for unit in $(UNITS); do rm -f "$(DESTDIR)$(UNITDIR)/$$unit"; done
	rm -f "$(DESTDIR)$(DOCDIR)/LICENSE" "$(DESTDIR)$(BINDIR)/blog"
	if [ -d "$(DESTDIR)$(DOCDIR)" ]; then rmdir "$(DESTDIR)$(DOCDIR)"; fi

.PHONY: all install uninstall
