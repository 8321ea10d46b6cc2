package api_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"heartward/api"
)

// featureOrder is the order of the list of features. A feature may import only lower ones.
var featureOrder = api.FeatureNames()

type listedPackage struct {
	ImportPath string
	Imports    []string // direct imports
	Deps       []string // all dependencies
}

// aboveFeatures are the packages of api that connect the features, send their events, fill their tables and run them.
var aboveFeatures = []string{"live", "seed", "wiring", "process", "cli", "e2e"}

// Imports point down: main → api/cli → api/process → api/wiring → api, jobs → features → platform, push, migrations.
func TestLayers_ImportsPointDown(t *testing.T) {
	t.Parallel()
	count := 0
	for _, pkg := range listPackages(t) {
		path, ours := strings.CutPrefix(pkg.ImportPath, "heartward/")
		if !ours {
			continue
		}
		count++
		switch feature, isFeature := featureOf(path); {
		case strings.HasPrefix(path, "api/platform/"):
			for _, dep := range pkg.Deps {
				inner, ours := strings.CutPrefix(dep, "heartward/")
				if ours && !strings.HasPrefix(inner, "api/platform/") && inner != "migrations" {
					t.Errorf("%s imports %s: the platform must not import features", path, inner)
				}
			}
		case isFeature:
			checkFeature(t, path, feature, pkg)
		case path == "api" || path == "jobs" || path == "api/wiring" || path == "api/process":
			checkBelow(t, path, pkg)
		case path == "push" || path == "migrations":
			for _, dep := range pkg.Imports {
				if strings.HasPrefix(dep, "heartward/api/") && !strings.HasPrefix(dep, "heartward/api/platform/") {
					t.Errorf("%s imports %s: push and migrations must not import the product's types", path, dep)
				}
			}
		}
	}
	if count < 10 {
		t.Fatalf("only %d packages were listed", count)
	}
}

// runners are the packages that run the product, from the lowest to the highest. Each imports only those before it.
var runners = []string{"api", "jobs", "api/wiring", "api/process", "api/cli"}

func checkBelow(t *testing.T, path string, pkg listedPackage) {
	t.Helper()
	for _, dep := range pkg.Deps {
		if inner, ours := strings.CutPrefix(dep, "heartward/"); ours && slices.Index(runners, inner) > slices.Index(runners, path) {
			t.Errorf("%s imports %s, which is above it", path, inner)
		}
	}
}

// messagingRooms are the packages of messaging with those of them that each may import.
var messagingRooms = map[string][]string{
	"guard": {}, "sendqueue": {}, "unread": {}, "conversations": {},
	"messages": {"sendqueue", "conversations"},
	"requests": {"sendqueue", "conversations", "messages"},
	"flags":    {"sendqueue", "conversations", "messages", "guard"},
	"search":   {"sendqueue", "conversations", "messages"},
}

// The rooms of messaging import in one direction, so that each can be read without those above it.
func TestLayers_RoomsOfMessagingImportDown(t *testing.T) {
	t.Parallel()
	const folder = "heartward/api/messaging/"
	count := 0
	for _, pkg := range listPackages(t) {
		room, isRoom := strings.CutPrefix(pkg.ImportPath, folder)
		if !isRoom || strings.HasSuffix(room, "test") {
			continue
		}
		count++
		allowed, known := messagingRooms[room]
		if !known {
			t.Errorf("%s is not in messagingRooms", pkg.ImportPath)
		}
		for _, dep := range pkg.Deps {
			if other, isRoom := strings.CutPrefix(dep, folder); isRoom && !slices.Contains(allowed, other) || dep+"/" == folder {
				t.Errorf("%s imports %s, which is not below it", pkg.ImportPath, dep)
			}
		}
	}
	if count != len(messagingRooms) {
		t.Errorf("%d of %d rooms were listed", count, len(messagingRooms))
	}
}

func checkFeature(t *testing.T, path, feature string, pkg listedPackage) {
	t.Helper()
	position := slices.Index(featureOrder, feature)
	if position < 0 {
		t.Errorf("feature %s is not in the list of features.go", feature)
	}
	for _, dep := range pkg.Imports {
		if strings.HasPrefix(dep, "github.com/gofiber/") || strings.HasPrefix(dep, "github.com/valyala/") {
			t.Errorf("%s imports %s: features use Huma, not Fiber", path, dep)
		}
	}
	for _, dep := range pkg.Deps {
		inner, ours := strings.CutPrefix(dep, "heartward/")
		if !ours {
			continue
		}
		if inner == "api" || inner == "jobs" || slices.Contains(aboveFeatures, strings.TrimPrefix(inner, "api/")) {
			t.Errorf("%s imports %s, which is above the features", path, inner)
		}
		if other, isFeature := featureOf(inner); isFeature && other != feature && slices.Index(featureOrder, other) > position {
			t.Errorf("%s imports %s, which is above it in features.go", path, inner)
		}
	}
}

// featureOf returns the feature that a package belongs to.
func featureOf(path string) (string, bool) {
	rest, inAPI := strings.CutPrefix(path, "api/")
	name, _, _ := strings.Cut(rest, "/")
	if !inAPI || name == "platform" || slices.Contains(aboveFeatures, name) {
		return "", false
	}
	return name, true
}

func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	_ = os.Getenv("TEST_TREE") // go test runs these tests again when a file that go list reads has changed
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "heartward/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listedPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var pkg listedPackage
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, pkg)
	}
}
