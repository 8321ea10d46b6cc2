// Package pwa embeds the built app in the binary.
package pwa

import (
	"embed"
	"encoding/json"
	"io/fs"
)

// dist has one file before the first build, so that Go builds without Node.
//
//go:embed all:dist
var dist embed.FS

// Dist is the built app: index.html, the worker and hashed assets.
func Dist() fs.FS {
	built, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	return built
}

// routes is tested against the app's router by src/app/routes.test.ts.
//
//go:embed routes.json
var routes []byte

// Routes are the paths of the app's screens; a segment that begins with a colon
// matches any segment.
func Routes() []string { return parse[[]string](routes) }

// serverPaths is also imported by the service worker, which serves no navigation to them.
//
//go:embed server-paths.json
var serverPaths []byte

// ServerPaths are the paths that the server answers itself, also below them.
func ServerPaths() []string { return parse[[]string](serverPaths) }

// safety is also imported by the screen.
//
//go:embed src/features/moderation/safety.json
var safety []byte

// SafetyTexts are the texts of the safety center.
type SafetyTexts struct {
	Description string
	Emergency   string
	Advice      []struct {
		Title  string
		Points []string
	}
	Emergencies []struct {
		Country, Number string
		Source          string
	}
	Rules     []string
	Reporting []string
	Method    string // how the times are measured
	TooFew    string // instead of the times, if they are not known
	Contact   string // follows the address
	Helpline  string
}

// Safety returns the texts of the safety center.
func Safety() SafetyTexts { return parse[SafetyTexts](safety) }

// rules is also imported by the screen.
//
//go:embed src/features/community/rules.json
var rules []byte

// RulesTexts are the rules of the community.
type RulesTexts struct {
	Description string
	Intro       string
	Rules       []struct{ Title, Text string }
	NotAllowed  struct {
		Title string
		Items []string
	}
	Issue struct{ Title, Text string } // how to report an issue
}

// Rules returns the rules of the community.
func Rules() RulesTexts { return parse[RulesTexts](rules) }

func parse[T any](file []byte) (parsed T) {
	if err := json.Unmarshal(file, &parsed); err != nil {
		panic(err) // the file is part of the binary
	}
	return parsed
}
