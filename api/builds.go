package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"path"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"heartward/api/platform/fault"
	"heartward/api/platform/files"
)

// Prefixes in the file store of the hashed assets of all builds and of the lists of
// each build's assets. The name of a list is the hash of its content.
const (
	assetBlobs = "assets/"
	buildBlobs = "builds/"
)

const (
	// buildRetention is how long the assets of a build are stored after a node last
	// served it, for pages loaded before an update.
	buildRetention = 14 * 24 * time.Hour
	// publishInterval is how often a node records that it serves its build.
	publishInterval = 24 * time.Hour
	// publishRetry is the delay of the next attempt after a failure of the store.
	publishRetry = time.Minute
	// refreshInterval is the minimum time from a successful refresh to the next one,
	// which limits the cost of requests for unknown assets.
	refreshInterval = time.Second
	// maxAsset is the maximum size of an asset in bytes.
	maxAsset = 16 << 20
)

// builds shares the assets of builds between nodes, so that each node can serve the
// pages of older builds and, during a deploy, of newer ones.
type builds struct {
	store *files.Store

	names atomic.Pointer[map[string]bool] // assets of all lists

	mu        sync.Mutex          // locked while the lists are read
	refreshed time.Time           // start of the last successful refresh
	lists     map[string][]string // assets by key of the list
}

func newBuilds(store *files.Store) *builds {
	b := &builds{store: store}
	b.names.Store(&map[string]bool{})
	return b
}

func (b *builds) isListed(name string) bool { return (*b.names.Load())[name] }

// exists reports whether a build contains the asset. For an unknown name it reads the
// lists again, because another node may have published a build since. It returns an
// error when they cannot be read.
func (b *builds) exists(ctx context.Context, name string) (bool, error) {
	if b.isListed(name) {
		return true, nil
	}
	requestedAt := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refreshed.After(requestedAt) {
		return b.isListed(name), nil
	}
	select {
	case <-time.After(time.Until(b.refreshed.Add(refreshInterval))):
	case <-ctx.Done():
		return false, ctx.Err()
	}
	err := b.refresh(ctx)
	return b.isListed(name), err
}

// refresh reads the new lists. The caller must hold b.mu.
func (b *builds) refresh(ctx context.Context) error {
	began := time.Now()
	found, err := b.store.List(ctx, buildBlobs)
	if err != nil {
		return err
	}
	lists, names := map[string][]string{}, map[string]bool{}
	for _, entry := range found {
		list, known := b.lists[entry.Key]
		if !known {
			if list, err = b.readList(ctx, entry.Key); err != nil {
				return err
			}
		}
		lists[entry.Key] = list
		for _, name := range list {
			names[name] = true
		}
	}
	b.lists, b.refreshed = lists, began
	b.names.Store(&names)
	return nil
}

// readList returns the assets of a list, or none when another node has just deleted
// it.
func (b *builds) readList(ctx context.Context, key string) (names []string, err error) {
	text, err := b.read(ctx, key)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return names, json.Unmarshal(text, &names)
}

func (b *builds) read(ctx context.Context, key string) ([]byte, error) {
	reader, err := b.store.Range(ctx, key, 0, -1)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	return io.ReadAll(io.LimitReader(reader, maxAsset))
}

// asset returns the bodies of an asset of any build, or NotFound.
func (b *builds) asset(ctx context.Context, name string) (map[string][]byte, error) {
	known, err := b.exists(ctx, name)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, "We can't reach our files right now. Please try again in a moment.", err)
	}
	if !known {
		return nil, fault.New(fault.NotFound, "There is nothing at this address.")
	}
	bodies := map[string][]byte{}
	if bodies[""], err = b.read(ctx, assetBlobs+name); err != nil {
		return nil, err
	}
	for _, file := range compressedFiles {
		if !b.isListed(name + file.suffix) {
			continue
		}
		if bodies[file.coding], err = b.read(ctx, assetBlobs+name+file.suffix); err != nil {
			return nil, err
		}
	}
	return bodies, nil
}

// publish stores the assets of a build, then its list, and deletes builds that no
// node has served for buildRetention.
func (b *builds) publish(ctx context.Context, assets map[string][]byte) error {
	found, err := b.store.List(ctx, buildBlobs)
	if err != nil {
		return err
	}
	stored := map[string]bool{}
	for _, entry := range found {
		if time.Since(entry.ModTime) > buildRetention-publishInterval {
			continue // another node may be deleting it
		}
		names, err := b.readList(ctx, entry.Key)
		if err != nil {
			return err
		}
		for _, name := range names {
			stored[name] = true
		}
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for name, raw := range assets {
		if !stored[name] {
			group.Go(func() error { return b.store.Put(inner, assetBlobs+name, contentType(name), bytes.NewReader(raw)) })
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	text, err := json.Marshal(slices.Sorted(maps.Keys(assets)))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	own := buildBlobs + base64.RawURLEncoding.EncodeToString(sum[:12]) + ".json"
	if err := b.store.Put(ctx, own, "application/json", bytes.NewReader(text)); err != nil {
		return err
	}
	return b.removeOld(ctx, own)
}

// removeOld deletes the lists of old builds, and then the assets that are in no list.
func (b *builds) removeOld(ctx context.Context, own string) error {
	found, err := b.store.List(ctx, buildBlobs)
	if err != nil {
		return err
	}
	old, current := map[string]bool{}, map[string]bool{}
	for _, entry := range found {
		names, err := b.readList(ctx, entry.Key)
		if err != nil {
			return err
		}
		expired := time.Since(entry.ModTime) > buildRetention && entry.Key != own
		if expired {
			if err := b.delete(ctx, entry.Key); err != nil {
				return err
			}
		}
		for _, name := range names {
			if expired {
				old[name] = true
			} else {
				current[name] = true
			}
		}
	}
	for name := range old {
		if !current[name] {
			if err := b.delete(ctx, assetBlobs+name); err != nil {
				return err
			}
		}
	}
	return nil
}

// delete deletes a blob. It returns nil when another node has deleted it.
func (b *builds) delete(ctx context.Context, key string) error {
	err := b.store.Delete(ctx, key)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// publishTimeout limits publishing, so that a start does not wait for an unavailable
// store.
const publishTimeout = 30 * time.Second

// Publish stores the assets of this build for all nodes that share the store. Call it
// before the first page is served. It logs a failure and returns false.
func (s *Static) Publish(ctx context.Context) bool {
	assets := map[string][]byte{}
	for name, asset := range s.files {
		if !asset.immutable || path.Dir(name) != "/assets" {
			continue
		}
		assets[path.Base(name)] = asset.bodies[""]
		for _, file := range compressedFiles {
			if body := asset.bodies[file.coding]; body != nil {
				assets[path.Base(name)+file.suffix] = body
			}
		}
	}
	if s.builds == nil || len(assets) == 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	if err := s.builds.publish(ctx, assets); err != nil {
		slog.ErrorContext(ctx, "storing this build's files for other nodes", "error", err)
		return false
	}
	return true
}

// KeepPublished publishes again every publishInterval, and sooner after a failure,
// until ctx ends, so that the build is not deleted while a node serves it.
func (s *Static) KeepPublished(ctx context.Context, published bool) {
	for {
		wait := publishInterval
		if !published {
			wait = publishRetry
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		published = s.Publish(ctx)
	}
}
