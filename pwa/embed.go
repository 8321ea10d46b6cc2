// Package pwa holds the built app inside the binary.
package pwa

import (
	"embed"
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
