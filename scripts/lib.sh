# Functions shared by the scripts: paths, the output of steps, and installing and
# building only what changed. To be sourced.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=$root/.cache
mkdir -p "$cache" "$root/bin"
# -trimpath: without paths in its objects, Go's build cache is shared by all checkouts.
export GOFLAGS="-trimpath ${GOFLAGS:-}"

# step NAME COMMAND…: runs a command, prints its duration, and its output only if it fails.
step() {
  local name=$1 began=$SECONDS log
  shift
  log=$(mktemp)
  printf '%-44s' "$name"
  if "$@" >"$log" 2>&1; then
    printf '%4d s\n' $((SECONDS - began))
    rm -f "$log"
  else
    printf 'failed after %d s\n' $((SECONDS - began))
    cat "$log"
    rm -f "$log"
    return 1
  fi
}

# need COMMAND WHY: exits with an error line if a tool is missing.
need() {
  command -v "$1" >/dev/null || { echo "heartward: $1 is missing: $2" >&2; exit 1; }
}

need_tools() {
  need go 'install Go 1.26 or newer from https://go.dev/dl'
  need npm 'install Node.js with npm, for example: apt install nodejs npm'
  need git 'install it, for example: apt install git'
}

# lock_build: takes a lock, so that two scripts in one checkout do not build at
# the same time. It is released at the script's end or by unlock_build.
lock_build() {
  command -v flock >/dev/null || return 0
  exec 9>"$cache/lock"
  flock 9
}
unlock_build() { exec 9>&-; }

# digest PATH…: prints a line that changes with any file below, also untracked ones.
# Paths are relative to the checkout; installed and built files are ignored.
digest() {
  (
    cd "$root"
    { find "$@" \( -name node_modules -o -path pwa/dist \) -prune -o -type f -print0 2>/dev/null || true; } |
      LC_ALL=C sort -z | xargs -0 git hash-object --no-filters -- | paste -sd' ' | git hash-object --stdin
    { find "$@" \( -name node_modules -o -path pwa/dist \) -prune -o -type f -print 2>/dev/null || true; } |
      LC_ALL=C sort | git hash-object --stdin
  ) | tr '\n' ' '
}

# fresh STAMP DIGEST: whether the digest equals that of the last run.
fresh() { [ -f "$cache/$1" ] && [ "$(cat "$cache/$1")" = "$2" ]; }
stamp() { printf '%s' "$2" >"$cache/$1"; }

install_packages() {
  local inputs
  inputs="$(digest {pwa,scripts}/package{,-lock}.json) $(uname -sm)"
  if fresh npm "$inputs" && [ -x "$root/pwa/node_modules/node/bin/node" ] && [ -d "$root/scripts/node_modules" ]; then return; fi
  step 'Installing packages (npm ci)' npm_ci
  stamp npm "$inputs"
}

# npm_ci installs the app's packages and, at the same time, PostgreSQL.
npm_ci() {
  local postgres result=0
  npm --prefix "$root/scripts" ci --omit=dev --no-audit --no-fund &
  postgres=$!
  npm --prefix "$root/pwa" ci --no-audit --no-fund || result=1
  wait "$postgres" || result=1
  return $result
}

build_app() {
  local inputs
  inputs=$(digest pwa/src pwa/sw pwa/public pwa/scripts pwa/{index,site}.html api/pages/site pwa/server-paths.json pwa/package.json pwa/package-lock.json \
    pwa/vite.config.ts pwa/vite.site.config.ts pwa/chunks.config.ts pwa/manifest.config.ts pwa/tsconfig.json pwa/tsconfig.base.json pwa/tsconfig.app.json)
  if fresh pwa "$inputs" && [ -f "$root/pwa/dist/index.html" ]; then return; fi
  step 'Building the app' npm --prefix "$root/pwa" run build
  stamp pwa "$inputs"
}

build_binary() {
  local inputs
  inputs="$(digest $(cd "$root" && ls -- *.go) go.mod go.sum api jobs push migrations pwa/embed.go pwa/{routes,server-paths}.json) $(cat "$cache/pwa" 2>/dev/null || true)"
  if fresh binary "$inputs" && [ -x "$root/bin/heartward" ]; then return; fi
  step 'Building the binary' compile
  stamp binary "$inputs"
}

# compile builds to a new file and renames it, so that a running binary is not changed.
compile() {
  local version vcs=auto
  # Git rejects a checkout of another user, which must not fail the build.
  version=$(git -C "$root" describe --always --dirty 2>/dev/null) || { version=dev vcs=false; }
  go -C "$root" build -buildvcs="$vcs" -ldflags "-X main.version=$version" -o bin/heartward.new . &&
    mv "$root/bin/heartward.new" "$root/bin/heartward"
}
