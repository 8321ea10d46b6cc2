# The three test runners, for scripts/test and scripts/flaky. To be sourced after lib.sh.
# Each writes its results to files in $logs, which scripts/results.mjs reads.

# How often a failed test is tried again: 0 or 1.
retries=${retries:-0}

tool() { go tool -modfile=scripts/tools.mod "$@"; }
results() { "$root/pwa/node_modules/node/bin/node" scripts/results.mjs "$@"; }

# use_browsers: exports the browsers that are installed.
use_browsers() {
  export CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
  export CHROMIUM_SHELL=${CHROMIUM_SHELL:-$(command -v chromium-headless-shell || true)}
  export FIREFOX=${FIREFOX:-$(command -v firefox-esr || true)}
}

# scratch: prints the folder for the tests' databases and other temporary files, in memory if there is space: on a disk,
# creating about 600 databases takes a third of the processor time of all Go tests.
scratch() {
  local free
  free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1 || true)
  if [ -w /dev/shm ] && [ "${free:-0}" -gt 4000000 ]; then echo /dev/shm; else echo "${TMPDIR:-/tmp}"; fi
}

# stable_address URL: prints the address of the tests' PostgreSQL by way of a link to the folder of its socket, whose name
# differs in each run. Go repeats the tests of a package only if its code, or a file or a variable that they read, has
# changed, and the address is such a variable. The link's name depends on what Go does not see: the versions of PostgreSQL
# and ffmpeg, and the date, so that a test that depends on it runs at least once a day. A path that is too long for a
# socket, or that would need an escape in an address, is not used.
stable_address() {
  local url=$1 unseen link folder postgres=${POSTGRES_BIN:+$POSTGRES_BIN/}postgres
  unseen=$({
    date -u +%F
    cat "$root/scripts/package-lock.json"
    echo "$postgres" && "$postgres" --version 2>/dev/null || true
    "${FFMPEG:-ffmpeg}" -version 2>/dev/null || true
  } | git hash-object --stdin)
  link=$cache/postgres-${unseen:0:12}
  folder=$(sed -E 's/.*[?&]host=([^&]*).*/\1/; s/%2F/\//g' <<<"$url")
  if [ ${#link} -gt 85 ] || ! [[ $link$folder =~ ^[A-Za-z0-9/._-]+$ ]]; then echo "$url" && return; fi
  find "$cache" -maxdepth 1 -name 'postgres-*' -type l -delete
  ln -sfn "$folder" "$link"
  sed -E "s|host=[^&]*|host=${link//\//%2F}|" <<<"$url"
}

# go_tree: prints a digest of everything that the binary and the scripts are made from, but the app.
go_tree() { digest $(cd "$root" && ls -- *.go) go.mod go.sum api jobs push migrations pwa/*.go pwa/{routes,server-paths}.json scripts; }

# run_go [FLAG…]: runs the Go tests with the flags of go test: those whose code or inputs have changed since they last
# passed, and all of them with -count=1. One temporary PostgreSQL serves all packages; it ends when
# its input is closed. The linters include vet, so the tests do not run it again. More than five failed tests are not
# tried again, because then the change is wrong, or the machine is. Three packages at a time, because tests that stop a
# server leave a processor idle. The packages that wait most are named first, because go test begins in this order: at
# the end nothing would run beside them. While other packages are compiled beside it, package api can need more than the
# ten minutes after which go test ends a package by default: a busy machine is not a failed test.
run_go() {
  local url folder again=() result=0
  folder=$(scratch)
  [ "$retries" = 0 ] || again=(--rerun-fails="$retries" --rerun-fails-max-failures=5)
  rm -f "$logs/hold"
  mkfifo "$logs/hold"
  go build -o "$cache/testpg" ./scripts/testpg
  TMPDIR=$folder "$cache/testpg" <"$logs/hold" >"$logs/url" &
  local server=$!
  exec 8>"$logs/hold"
  until url=$(grep -m1 '^postgres' "$logs/url"); do kill -0 "$server" || return 1; sleep 0.1; done
  exec 7>"$cache/postgres.lock" # another run in this checkout may have the link
  if command -v flock >/dev/null && flock -n 7; then url=$(stable_address "$url"); fi
  # TEST_TREE is read by tests whose result depends on files that Go does not see them read. By default the race detector
  # has each of the 67 test binaries sleep a second before it exits, while it keeps one of the three places.
  TMPDIR=$folder TEST_DATABASE_URL=$url TEST_TREE=$(go_tree) GORACE="atexit_sleep_ms=100 ${GORACE:-}" \
    tool gotestsum --format standard-quiet --no-color --jsonfile "$logs/go.json" ${again[@]+"${again[@]}"} \
    --packages='./scripts/benchmarks ./api/e2e ./api ./...' -- -race -vet=off -p 3 -timeout 40m -ldflags='-s -w' "$@" >"$logs/go" 2>&1 || result=$?
  exec 7>&- 8>&-
  wait "$server" || true
  grep -v 'no test files' "$logs/go"
  return $result
}

# run_vitest [ARGUMENT…]: runs the tests of the app's logic, with the arguments of Vitest.
run_vitest() {
  npm --silent --prefix pwa test -- --retry="$retries" --reporter=default --reporter=json \
    --outputFile.json="$logs/vitest.json" "$@" 2>&1 | tee "$logs/vitest"
}

# run_browsers [ARGUMENT…]: runs the browser tests, with the arguments of Playwright, against the built binary.
run_browsers() {
  TMPDIR=$(scratch) PLAYWRIGHT_JSON_OUTPUT_FILE=$logs/browsers.json \
    npm --silent --prefix pwa run e2e -- --retries="$retries" --reporter=list,json "$@" 2>&1 | tee "$logs/browsers"
}
