package seed

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

// Made by scripts/portraits.mjs; see portraits/NOTICE.md.
//
//go:embed portraits/*.webp portraits/portraits.json
var portraitFiles embed.FS

// Every portrait is of this size.
const (
	portraitWidth  = 800
	portraitHeight = 1000
)

// blob is a file to be put into the store.
type blob struct {
	key  string
	data []byte
}

// readPlaceholders returns the blurred pictures by the portraits' names.
func readPlaceholders() (map[string]string, error) {
	text, err := portraitFiles.ReadFile("portraits/portraits.json")
	if err != nil {
		return nil, err
	}
	var list []struct{ Name, Placeholder string }
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("portraits.json: %w", err)
	}
	byName := make(map[string]string, len(list))
	for _, p := range list {
		byName[p.Name] = p.Placeholder
	}
	return byName, nil
}

// addPortraits gives p the portrait name and, where there is one, the second
// picture. The file ids are random: what a run that failed left in the store
// must never be taken for another run's.
func (w *world) addPortraits(p person, name string, placeholders map[string]string) error {
	for i, picture := range []string{name, name + "b"} {
		placeholder, ok := placeholders[picture]
		if !ok {
			continue
		}
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		size := 0
		for _, variant := range []string{"full.webp", "thumb.webp"} {
			data, err := portraitFiles.ReadFile("portraits/" + picture + "." + variant)
			if err != nil {
				return err
			}
			size += len(data)
			w.portraits = append(w.portraits, blob{id.String() + "/" + variant, data})
		}
		w.files = append(w.files, []any{id, p.id, "image/webp", size, portraitWidth, portraitHeight, placeholder, p.created.Add(time.Hour)})
		w.media = append(w.media, []any{id, p.id, "photo", i + 1})
	}
	return nil
}

func (w *world) putPortraits(ctx context.Context, blobs Blobs) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for _, b := range w.portraits {
		group.Go(func() error { return blobs.Put(ctx, b.key, "image/webp", bytes.NewReader(b.data)) })
	}
	if err := group.Wait(); err != nil {
		w.removePortraits(context.WithoutCancel(ctx), blobs)
		return fmt.Errorf("storing the portraits: %w", err)
	}
	return nil
}

// removePortraits is best effort: no row names these files.
func (w *world) removePortraits(ctx context.Context, blobs Blobs) {
	for _, b := range w.portraits {
		_ = blobs.Delete(ctx, b.key)
	}
}
