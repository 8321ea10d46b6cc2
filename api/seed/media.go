package seed

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"heartward/api/members"
)

// mediaFiles are pictures and recordings made by scripts/portraits.mjs, scripts/scenes.mjs and scripts/greetings.mjs. See
// NOTICE.md in each folder.
//
//go:embed portraits/*.webp portraits/portraits.json scenes/*.webp scenes/scenes.json
//go:embed greetings/*.webp greetings/*.webm greetings/greetings.json
var mediaFiles embed.FS

// source is a picture or recording as listed in its folder.
type source struct {
	path          string // up to the first dot
	Name, Type    string // Type is empty for a picture
	Width, Height int    // of the picture or the video's poster
	Placeholder   string
	DurationMs    int
	Waveform      []int16
}

// readSources returns all sources by their path, such as "scenes/tea".
func readSources() (map[string]source, error) {
	all := map[string]source{}
	for _, folder := range []string{"portraits", "scenes", "greetings"} {
		text, err := mediaFiles.ReadFile(folder + "/" + folder + ".json")
		if err != nil {
			return nil, err
		}
		var list []source
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, fmt.Errorf("%s.json: %w", folder, err)
		}
		for _, s := range list {
			s.path = folder + "/" + s.Name
			if folder == "portraits" {
				s.Width, s.Height = portraitWidth, portraitHeight
			}
			all[s.path] = s
		}
	}
	return all, nil
}

// messageType returns the type of a message with the source.
func (s source) messageType() string {
	if s.Type == "" {
		return "image"
	}
	kind, _, _ := strings.Cut(s.Type, "/")
	return kind
}

// variants returns the suffixes of the source's files by the variants under which an upload stores them.
func (s source) variants() map[string]string {
	switch {
	case s.Type == "":
		return map[string]string{"full.webp": ".full.webp", "thumb.webp": ".thumb.webp"}
	case s.Width > 0:
		return map[string]string{"media": ".webm", "poster.webp": ".poster.webp"}
	}
	return map[string]string{"media": ".webm"}
}

// blob is a file to be stored.
type blob struct {
	key, contentType string
	data             []byte
}

// addMedia adds the source to a slot of p's profile and returns the file's id.
func (w *dataset) addMedia(p person, slot string, position int, path, caption string, at time.Time) (uuid.UUID, error) {
	id, err := w.addFile(p.id, path, at)
	w.media = append(w.media, []any{id, p.id, slot, position, caption, slot == members.PhotoSlot.Name() && p.verified != nil})
	return id, err
}

// addFile adds a file with the source and returns its id. Ids are random, so that
// blobs of a failed run are never used by another.
func (w *dataset) addFile(owner uuid.UUID, path string, at time.Time) (uuid.UUID, error) {
	s, ok := w.sources[path]
	if !ok {
		return uuid.Nil, fmt.Errorf("there is no %s", path)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return id, err
	}
	size := 0
	for variant, ending := range s.variants() {
		data, err := mediaFiles.ReadFile(path + ending)
		if err != nil {
			return id, err
		}
		size += len(data)
		contentType := "image/webp"
		if variant == "media" {
			contentType = s.Type
		}
		w.blobs = append(w.blobs, blob{id.String() + "/" + variant, contentType, data})
	}
	contentType := s.Type
	if contentType == "" {
		contentType = "image/webp"
	}
	w.files = append(w.files, []any{id, owner, contentType, size, orNull(s.Width), orNull(s.Height), orNull(s.DurationMs),
		s.Placeholder, append([]int16{}, s.Waveform...), at})
	return id, nil
}

// orNull returns nil for 0.
func orNull(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// putBlobs stores all blobs. After an error it removes those that it stored.
func (w *dataset) putBlobs(ctx context.Context, blobs Blobs) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for _, b := range w.blobs {
		group.Go(func() error { return blobs.Put(ctx, b.key, b.contentType, bytes.NewReader(b.data)) })
	}
	if err := group.Wait(); err != nil {
		w.removeBlobs(context.WithoutCancel(ctx), blobs)
		return fmt.Errorf("storing pictures and recordings: %w", err)
	}
	return nil
}

// removeBlobs deletes the stored blobs. It ignores errors, because no row refers to the blobs.
func (w *dataset) removeBlobs(ctx context.Context, blobs Blobs) {
	for _, b := range w.blobs {
		_ = blobs.Delete(ctx, b.key)
	}
}
