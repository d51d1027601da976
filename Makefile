# To start: make play, make test. `make help` lists the rest.

SHELL = /bin/bash
# SwiftPM passes traits in the order of a set: where it is not that of the last build, every module is compiled again.
export SWIFT_DETERMINISTIC_HASHING = 1
PREFIX ?= /usr/local
DESTDIR ?=
CLIP ?= media/clip.mp4
OUT ?= out
SECONDS ?= 60
# The seed of make fuzz and make faults.
SEED ?= 1
# What make plain runs: loading libraries and the command line.
PLAIN = LoadedLibrariesTests|ThumbnailTests|FrameFilesTests|BinaryTests
# How many tests run in parallel. Without a bound, computing tests starve those that wait.
WIDTH ?= $(shell echo $$((2 * $$(nproc))))
# With it, debug builds fail for a warning, and the build of the tests for a dependency that is not declared. Other compilers
# than ours warn of more, so it is set by make check and in .ci/run; to set it always saves building twice.
STRICT ?=
# Contributors build, test and document what users turn on by a trait.
ALL = --enable-all-traits $(if $(STRICT),-Xswiftc -warnings-as-errors)
TESTS = $(ALL) --build-tests $(if $(STRICT),--explicit-target-dependency-import-check error)
SWIFT_TEST = scripts/test.sh --disable-xctest $(ALL) \
	--experimental-maximum-parallelization-width $(WIDTH)
# Unoptimized, loops over pixels take ten times as long under a sanitizer.
SANITIZED = -c release $(ALL) -Xswiftc -enable-testing -Xswiftc -use-ld=lld
# lld does not warn about calls in Foundation's static archive.
BUILD_RELEASE = swift build -c release --product lazyimg --static-swift-stdlib -Xswiftc -use-ld=lld \
	$(shell scripts/link-flags.sh .build/link)
BINARY = .build/release/lazyimg
SOURCES = Package.swift Sources Tests Desktop/Package.swift Desktop/Sources Desktop/Tests \
	Server/Package.swift Server/Benchmarks Server/Sources Server/Tests

# The Debian release in which make bare runs the commands of the README.
RELEASE ?= trixie
# What make view shows.
VIEW ?= media
# Measurements are put into BENCHMARKS.md or Benchmarks/data, unless this is empty.
REPORT ?= --report
# What precedes a command whose lines are kept: file of data, group.
report = $(if $(REPORT),python3 Benchmarks/report.py "$(1)" "$(2)" --)
VIEWER = Desktop/.build/release/lazyimg-view
# What make serve shows, and where.
SERVE ?= media
PORT ?= 8080
ADMIN_PORT ?= 8081
SERVER = Server/.build/release/lazyimg-server

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' $(MAKEFILE_LIST))

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'

play: build ## write the frames of CLIP (media/clip.mp4) to OUT (out/) as PNG
	@$(BINARY) play $(CLIP) --frames $(OUT) --overwrite always

view: view-build ## show VIEW (media/) in a window; builds lazyimg-view with GTK 4
	@$(VIEWER) $(VIEW)

# GNU ld makes no relocations of it read-only, as lintian asks.
view-build: desktop-packages
	@[ -x $(VIEWER) ] || echo "Building lazyimg-view; the first build takes some minutes." >&2
	@swift build -c release --package-path Desktop --product lazyimg-view --static-swift-stdlib \
		-Xswiftc -use-ld=lld --quiet

view-install: view-build ## install lazyimg-view, its manual and its menu entry in PREFIX (/usr/local)
	@install -D -m 755 $(VIEWER) "$(DESTDIR)$(PREFIX)/bin/lazyimg-view"
	@install -D -m 644 share/applications/io.github.lazyimg.View.desktop \
		"$(DESTDIR)$(PREFIX)/share/applications/io.github.lazyimg.View.desktop"
	@install -D -m 644 man/lazyimg-view.1 "$(DESTDIR)$(PREFIX)/share/man/man1/lazyimg-view.1"

test-desktop: desktop-test-packages ## run the tests of the window (Desktop/) with real windows in Xvfb
	@echo "Building the tests of Desktop/; the first build takes some minutes." >&2
	@swift build --package-path Desktop --build-tests --quiet
	@swift test --package-path Desktop --disable-xctest --skip-build

serve: server-build ## answer requests for posters and previews of SERVE (media/) at PORT (8080), to everybody on this machine
	@echo "http://127.0.0.1:$(PORT)/unsafe/rs:fit:160:160/plain/local:///clip.mp4@webp is a poster; see Server/README.md." >&2
	@$(SERVER) --root "$(SERVE)" --port $(PORT) --admin-port $(ADMIN_PORT) --unsafe

test-server: ## run the tests of the server (Server/) over HTTP
	@scripts/install-packages.sh --test --server-test
	@scripts/install-python.sh
	@echo "Building the tests of Server/; the first build takes some minutes." >&2
	@LAZYIMG_TESTS=LazyServer swift build $(TESTS) --quiet
	@LAZYIMG_TESTS=LazyServer LAZYIMG_SERVER=$(CURDIR)/.build/debug/lazyimg-server \
		$(SWIFT_TEST) --skip-build

build: packages ## build the release binary, .build/release/lazyimg
	@[ -x $(BINARY) ] || echo "Building lazyimg; the first build takes a few minutes." >&2
	@$(BUILD_RELEASE) --quiet

# After make play or make build, the tests run that binary, built anew where sources are newer: it is what users
# have, and some times as quick as a debug build.
test: test-packages ## run all tests
	@echo "Building the tests; the first build takes a few minutes." >&2
	@swift build $(TESTS) --quiet
	@scripts/test-guides.sh
	@[ ! -x $(BINARY) ] || $(BUILD_RELEASE) --quiet
	@if [ -x $(BINARY) ]; then export LAZYIMG_BINARY="$${LAZYIMG_BINARY:-$(CURDIR)/$(BINARY)}"; fi; $(SWIFT_TEST) --skip-build

plain: test-packages ## run some tests without what Sources/C/CTricks does
	@swift build $(ALL) --build-tests --quiet
	@if [ -x $(BINARY) ]; then export LAZYIMG_BINARY="$${LAZYIMG_BINARY:-$(CURDIR)/$(BINARY)}"; fi; \
		LAZYIMG_PLAIN=1 $(SWIFT_TEST) --skip-build --filter '$(PLAIN)'

test-terminals: test-packages ## look at windows of kitty, foot and xterm, in Xvfb and Weston
	@scripts/install-packages.sh --terminal-test
	@echo "Building the tests; the first build takes a few minutes." >&2
	@swift build $(ALL) --build-tests --quiet
	@[ ! -x $(BINARY) ] || $(BUILD_RELEASE) --quiet
	@if [ -x $(BINARY) ]; then export LAZYIMG_BINARY="$${LAZYIMG_BINARY:-$(CURDIR)/$(BINARY)}"; fi; \
		LAZYIMG_WINDOWS=1 $(SWIFT_TEST) --skip-build --filter TerminalWindowTests

install: build ## install the binary, manual page and completions in PREFIX (/usr/local)
	@scripts/install.sh "$(BINARY)" "$(DESTDIR)$(PREFIX)"

deb: build ## build a Debian package in .build/deb
	@scripts/install-packages.sh --deb
	@scripts/deb.sh "$(BINARY)"

deb-view: build view-build ## build that package and one of lazyimg-view
	@scripts/install-packages.sh --deb
	@scripts/deb.sh "$(BINARY)" "$(VIEWER)"

# GNU ld makes no relocations of it read-only, as lintian asks.
server-build: packages ## build the release server, Server/.build/release/lazyimg-server
	@[ -x $(SERVER) ] || echo "Building lazyimg-server; the first build takes some minutes." >&2
	@swift build -c release --package-path Server --product lazyimg-server --static-swift-stdlib \
		-Xswiftc -use-ld=lld --quiet

deb-server: build server-build ## build a Debian package of lazyimg-server
	@scripts/install-packages.sh --deb
	@scripts/deb.sh "$(BINARY)" "" "$(SERVER)"

dist: build view-build ## write what a release carries to .build/dist: sources, packages, SHA256SUMS
	@scripts/install-packages.sh --deb
	@scripts/dist.sh "$(BINARY)" "$(VIEWER)"

check: STRICT = 1
check: lint test lean api-check layers docs others ## everything that has to pass before a change is merged

lint: ## check the format of the sources
	@swift format lint --strict --recursive $(SOURCES)

api: packages ## list all public symbols in API/
	@swift build $(ALL) --quiet
	@scripts/api.py

api-check: packages ## compare the public symbols with API/
	@swift build $(ALL) --quiet
	@scripts/api.py --check

layers: packages ## check that folders are layers, and that no format needs another (ARGS=LazyMedia lists its folders)
	@swift build $(ALL) --quiet
	@scripts/layers.py $(ARGS)

manual: packages ## write the manual page of the commands' help, man/lazyimg.1
	@swift build $(ALL) --quiet --product lazyimg
	@scripts/manual.py

docs: packages ## build the documentation of all products, .build/docs/index.html
	@swift build $(ALL) --quiet
	@scripts/docs.py

others: packages ## compile the other packages: Benchmarks/, Desktop/, Examples/, Server/, fuzz/
	@scripts/install-packages.sh --desktop --examples
	@swift build $(ALL) --quiet
	@scripts/others.py

strict: STRICT = 1
strict: packages ## build with warnings as errors and explicit imports, as make STRICT=1 does each time
	@swift build $(TESTS) --quiet

bare: ## run make play, make test and make deb-view in a bare chroot of RELEASE (trixie, bookworm)
	@scripts/bare.sh $(RELEASE)

containerfile: ## run the steps of the server's Containerfile in chroots, and start what is in its image
	@PROGRAM=$(PROGRAM) scripts/containerfile.sh

machines: build ## try what other machines lack: instructions, locale, folders, namespaces
	@scripts/install-packages.sh --arm64
	@scripts/machines.sh $(BINARY)

arm64: packages ## compile the C targets for arm64, and run their kernels in an emulator
	@scripts/arm64.sh

lean: packages ## build without FFmpeg: what asks for a trait, and the rest of a debug build
	@swift build $(ALL) --quiet --product lazyimg
	@scripts/lean.py

asan: test-packages ## run the tests under AddressSanitizer
	@swift build $(SANITIZED) --scratch-path .build/asan --sanitize=address --build-tests
	@ASAN_OPTIONS=detect_leaks=0 LAZYIMG_BINARY=.build/asan/release/lazyimg \
		$(SWIFT_TEST) $(SANITIZED) --scratch-path .build/asan --sanitize=address --skip-build

tsan: test-packages ## run the tests under ThreadSanitizer
	@swift build $(SANITIZED) --scratch-path .build/tsan --sanitize=thread --build-tests
	@TSAN_OPTIONS=suppressions=$(CURDIR)/scripts/tsan-suppressions.txt LAZYIMG_BINARY=.build/tsan/release/lazyimg \
		$(SWIFT_TEST) $(SANITIZED) --scratch-path .build/tsan --sanitize=thread --skip-build

pins: test-packages build ## compare what 870 command lines do with Tests/Pins/pins.tsv (ARGS=--record writes it)
	@scripts/pins.py $(BINARY) $(ARGS)

judge: test-packages build ## compare pictures of Debian's source packages with Chromium and other readers
	@scripts/judge-pictures.py --lazyimg $(BINARY)

leaks: test-packages build ## look for memory leaks with valgrind
	@scripts/leaks.sh $(BINARY)

bench: build ## compare speed and memory with other tools, in BENCHMARKS.md (ARGS='J1 --runs 5': printed only)
	@[ -n "$(ARGS)" ] || Benchmarks/make-inputs.sh
	@python3 Benchmarks/bench.py --lazyimg $(BINARY) $(REPORT) $(ARGS)
	@[ -n "$(ARGS)" ] || $(MAKE) --no-print-directory micro

bench-isolation: packages ## compare isolated decoding of CLIP with that in this process (COUNT=100)
	@swift build -c release --package-path Benchmarks/Isolation --quiet
	@for job in frames posters first-read cancel crowd leaks; do \
		$(call report,operations,Isolation of $(notdir $(CLIP))) \
		Benchmarks/Isolation/.build/release/isolation $$job "$(CLIP)" $(or $(COUNT),100) || exit 1; done

bench-growth: build ## draw how time and memory grow with the work (ARGS='films files'; without, for half an hour)
	@scripts/install-packages.sh --test
	@swift build -c release --package-path Benchmarks/Micro --quiet
	@python3 Benchmarks/growth.py --lazyimg $(BINARY) $(REPORT) $(ARGS)

bench-follow: build ## measure batch --follow in a folder of 100 000 files
	@$(call report,operations,batch --follow) Benchmarks/follow.py $(BINARY)

bench-server: server-build ## measure and judge the server, alone, as a fleet and beside peers (ARGS='hits soak peers film.gif')
	@scripts/install-packages.sh --test --server-test
	@scripts/install-python.sh
	@scripts/install-peers.sh
	@swift build -c release --package-path Server --product bare-route --static-swift-stdlib \
		-Xswiftc -use-ld=lld --quiet
	@$(call report,operations,lazyimg-server) Benchmarks/server.py $(SERVER) $(ARGS)

micro: packages ## measure operations of the caches and the pipeline (NAME='cache hit': these only, not reported)
	@swift build -c release --package-path Benchmarks/Micro --quiet
	@$(if $(NAME),,$(call report,operations,Caches and the pipeline)) Benchmarks/Micro/.build/release/micro "$(NAME)"

fuzz: test-packages build ## fuzz decoders and the command, also isolated, with mutated files, SECONDS (60) each
	@{ fuzz/mutate.py $(BINARY) --seconds $(SECONDS) --seed $(SEED); here=$$?; \
		fuzz/mutate.py $(BINARY) --seconds $(SECONDS) --seed $(SEED) --isolated && exit $$here; } & mutate=$$!; \
		fuzz/run.sh $(SECONDS) $(ARGS); status=$$?; wait $$mutate && exit $$status

jobs: test-packages build ## do 53 jobs with the first command that one would guess, and look at the results
	@/usr/bin/python3 Tests/Jobs/run.py $(BINARY) --least 51 $(ARGS)

faults: test-packages build ## make each system call and allocation of the command fail once, for less than an hour
	@Tests/Faults/run.py $(BINARY) --seed $(SEED) $(ARGS)

mutants: test-packages ## plant faults in decision code and report those that no test finds
	@scripts/mutants.py $(ARGS)

ray: packages ## run the Ray example; skipped if Ray (from PyPI) is not installed
	@swift build $(ALL) --product lazyimg
	@Examples/RayData/test.sh || [ $$? = 77 ]

packages:
	@scripts/install-packages.sh

test-packages:
	@scripts/install-packages.sh --test
	@scripts/install-axe.sh

desktop-packages:
	@scripts/install-packages.sh --desktop

desktop-test-packages:
	@scripts/install-packages.sh --desktop --desktop-test

clean: ## remove build products
	@rm -rf .build Desktop/.build Server/.build out
