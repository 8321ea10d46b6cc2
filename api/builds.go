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
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"heartward/api/platform/fault"
	"heartward/api/platform/files"
)

// Where the hashed assets of each build are in the file store, and the list of
// names that belong to a build. The name of a list is a hash of what it says.
const (
	assetBlobs = "assets/"
	buildBlobs = "builds/"
)

const (
	// keepBuild is how long a page that was loaded before an update still finds
	// its chunks: so long after the last node served that build.
	keepBuild = 14 * 24 * time.Hour
	// republish is how often a node notes that it still serves its build.
	republish = 24 * time.Hour
	// retryPublish is when it tries again after the store was away.
	retryPublish = time.Minute
	// refreshPause is how often the lists are read at most, so that requests for
	// chunks that do not exist cost the store one listing a second.
	refreshPause = time.Second
	// maxAsset bounds what is read of one chunk.
	maxAsset = 16 << 20
)

// builds is what the nodes share of their builds, so that each node can serve a
// page that another build has made: an older one, or during a deploy a newer.
type builds struct {
	store *files.Store

	names atomic.Pointer[map[string]bool] // of all lists

	mu        sync.Mutex          // held while the lists are read
	refreshed time.Time           // when the last refresh that succeeded began
	lists     map[string][]string // names by key of the list
}

func newBuilds(store *files.Store) *builds {
	b := &builds{store: store}
	b.names.Store(&map[string]bool{})
	return b
}

func (b *builds) knows(name string) bool { return (*b.names.Load())[name] }

// has reports whether a build contains the asset. For an unknown name it reads
// the lists again, as they are after now: a node publishes its list before it
// serves the first page. Fails when the store is away.
func (b *builds) has(ctx context.Context, name string) (bool, error) {
	if b.knows(name) {
		return true, nil
	}
	asked := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refreshed.After(asked) {
		return b.knows(name), nil
	}
	select {
	case <-time.After(time.Until(b.refreshed.Add(refreshPause))):
	case <-ctx.Done():
		return false, ctx.Err()
	}
	err := b.refresh(ctx)
	return b.knows(name), err
}

// refresh reads the lists that are new. The caller has locked b.
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

// readList returns an empty list when another node has just removed it.
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

// asset reads a chunk of any build. NotFound when none has it.
func (b *builds) asset(ctx context.Context, name string) ([]byte, error) {
	known, err := b.has(ctx, name)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, "We can't reach our files right now. Please try again in a moment.", err)
	}
	if !known {
		return nil, fault.New(fault.NotFound, "There is nothing at this address.")
	}
	return b.read(ctx, assetBlobs+name)
}

// publish stores the chunks of a build, then its list, and removes builds that
// no node has served for keepBuild.
func (b *builds) publish(ctx context.Context, chunks map[string][]byte) error {
	found, err := b.store.List(ctx, buildBlobs)
	if err != nil {
		return err
	}
	stored := map[string]bool{}
	for _, entry := range found {
		if time.Since(entry.ModTime) > keepBuild-republish {
			continue // another node may be removing it
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
	for name, raw := range chunks {
		if !stored[name] {
			group.Go(func() error { return b.store.Put(inner, assetBlobs+name, contentType(name), bytes.NewReader(raw)) })
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	text, err := json.Marshal(slices.Sorted(maps.Keys(chunks)))
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

// removeOld removes the lists of old builds first and then the chunks that no
// list names any more.
func (b *builds) removeOld(ctx context.Context, own string) error {
	found, err := b.store.List(ctx, buildBlobs)
	if err != nil {
		return err
	}
	old, kept := map[string]bool{}, map[string]bool{}
	for _, entry := range found {
		names, err := b.readList(ctx, entry.Key)
		if err != nil {
			return err
		}
		expired := time.Since(entry.ModTime) > keepBuild && entry.Key != own
		if expired {
			if err := b.delete(ctx, entry.Key); err != nil {
				return err
			}
		}
		for _, name := range names {
			if expired {
				old[name] = true
			} else {
				kept[name] = true
			}
		}
	}
	for name := range old {
		if !kept[name] {
			if err := b.delete(ctx, assetBlobs+name); err != nil {
				return err
			}
		}
	}
	return nil
}

// delete is no error when another node was faster.
func (b *builds) delete(ctx context.Context, key string) error {
	err := b.store.Delete(ctx, key)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// publishTime bounds one attempt to publish: a start must not wait for a store
// that is away.
const publishTime = 30 * time.Second

// Publish lets every node that shares the store serve the chunks of this build.
// Call it before the first page is served. A store that is away is logged, and
// reported as false.
func (s *Static) Publish(ctx context.Context) bool {
	chunks := map[string][]byte{}
	for name, file := range s.files {
		if file.immutable && path.Dir(name) == "/assets" {
			chunks[strings.TrimPrefix(name, "/assets/")] = file.raw
		}
	}
	if s.builds == nil || len(chunks) == 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, publishTime)
	defer cancel()
	if err := s.builds.publish(ctx, chunks); err != nil {
		slog.ErrorContext(ctx, "storing this build's files for other nodes", "error", err)
		return false
	}
	return true
}

// KeepPublished publishes once more every day, so that a build stays stored as
// long as a node serves it, and sooner after a failure. It returns when ctx ends.
func (s *Static) KeepPublished(ctx context.Context, published bool) {
	for {
		wait := republish
		if !published {
			wait = retryPublish
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		published = s.Publish(ctx)
	}
}
