package moderation

import (
	"cmp"
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"log/slog"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/images"
	"heartward/api/platform/pg"
)

const (
	// maxPhotoDistance is the number of the 64 bits of images.Fingerprint in which a photo may differ
	// from a stored one. Unrelated photos differ in about 32; a recompressed copy in 0 to 4.
	maxPhotoDistance = 6
	maxPhotoBytes    = 1 << 20 // thumbnails are far smaller
)

// The names of the algorithms of stored hashes. Hashes of different algorithms are not compared.
const (
	plainHash = images.FingerprintAlgorithm // from before hashes were keyed
	keyedHash = images.FingerprintAlgorithm + " keyed"
)

// hashKey changes perceptual hashes so that two of them differ in as many bits as before, but a
// stored one cannot be compared with a photo by anybody without the secret: it moves the bits to
// other places and inverts some of them.
type hashKey struct {
	order  [64]int // the source of each bit
	invert uint64
}

// deriveHashKey returns the key of the hashes of photos from the configured secret.
func deriveHashKey(secret []byte) (k hashKey) {
	key, err := hkdf.Key(sha256.New, secret, nil, "heartward photo hashes", sha256.Size)
	if err != nil {
		panic(err) // the length is fixed
	}
	digest := func(label byte) uint64 {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte{label})
		return binary.BigEndian.Uint64(mac.Sum(nil))
	}
	for i := range k.order {
		k.order[i] = i
	}
	slices.SortFunc(k.order[:], func(a, b int) int { return cmp.Compare(digest(byte(a)), digest(byte(b))) })
	k.invert = digest(64)
	return k
}

// apply returns the keyed form of a hash.
func (k hashKey) apply(hash uint64) (keyed uint64) {
	for i, source := range k.order {
		keyed |= (hash >> source & 1) << i
	}
	return keyed ^ k.invert
}

// photoHash is the hash of a photo, as PostgreSQL stores it.
type photoHash struct{ plain, keyed int64 }

// hashOf returns the hash of a stored photo, and whether it has one: a deleted photo, one with little
// contrast and one that cannot be decoded have none.
func (s *Service) hashOf(ctx context.Context, photo uuid.UUID) (hash photoHash, found bool, err error) {
	content, err := s.blobs.Range(ctx, photo, blobs.Thumb, 0, -1)
	if fault.Is(err, fault.NotFound) {
		return hash, false, nil
	}
	if err != nil {
		return hash, false, err
	}
	defer content.Close()
	raw, err := io.ReadAll(io.LimitReader(content, maxPhotoBytes))
	if err != nil {
		return hash, false, err
	}
	fingerprint, found, err := images.Fingerprint(raw)
	if err != nil { // a retry would not help
		slog.WarnContext(ctx, "a stored photo cannot be decoded, and is not compared", "file", photo, "error", err)
		return hash, false, nil
	}
	return photoHash{plain: int64(fingerprint), keyed: int64(s.hashKey.apply(fingerprint))}, found, nil
}

// eachHash calls do for each of the photos that has a hash, until it returns an error.
func (s *Service) eachHash(ctx context.Context, photos []uuid.UUID, do func(photo uuid.UUID, hash photoHash) error) error {
	for _, photo := range photos {
		hash, found, err := s.hashOf(ctx, photo)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if err := do(photo, hash); err != nil {
			return err
		}
	}
	return nil
}

// selectPhotos returns the photos of a member that are in the profile now, and those that are stored as evidence
// of reports about the member, because they may have been replaced since.
func selectPhotos(ctx context.Context, db pg.DB, member uuid.UUID) ([]uuid.UUID, error) {
	rows, _ := db.Query(ctx, `
		SELECT file_id
		FROM profile_files
		WHERE user_id = $1
			AND slot IN ('photo', 'header_banner', 'gallery_image')
		UNION
		SELECT e.file_id
		FROM reports r
		JOIN evidence_files e ON e.subject_id = r.id
		WHERE r.reported_user_id = $1
			AND e.slot IN ('photo', 'header_banner', 'gallery_image')`, member)
	photos, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	return photos, pg.Fault(err)
}
