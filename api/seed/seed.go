// Package seed fills an empty database with fictional demo members: sixty with pictures,
// further generated ones for measurements, a member to sign in as, who has conversations
// with some of them, and an admin.
package seed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/platform/pg"
)

// The accounts to sign in with. They share a password, by default Password.
const (
	DemoEmail  = "demo@heartward.test"
	AdminEmail = "admin@heartward.test"
	Password   = "heartward-demo"
)

// Blobs stores pictures and recordings. A files.Store is one.
type Blobs interface {
	Put(ctx context.Context, key, contentType string, r io.Reader) error
	Delete(ctx context.Context, key string) error
}

// Options are the options of Run.
type Options struct {
	Members      int    // 60 if less; generated ones have no portrait
	Password     string // of the accounts; empty for Password
	WithoutAdmin bool   // AdminEmail has no account
}

// seedLock is the key of the advisory lock of Run: "seed" in ASCII.
const seedLock = 0x73656564

// errNotEmpty rolls back the transaction when another run has filled the database.
var errNotEmpty = errors.New("the database has members already")

// Run fills an empty database and returns the number of members, including the two
// accounts. It changes nothing and returns 0 if the database has members. All rows are
// inserted in one transaction, and the members are marked as demo; of two concurrent runs
// the second changes nothing. The same number of members gives the same data, apart from
// the ids and with times relative to now.
func Run(ctx context.Context, pool *pgxpool.Pool, blobs Blobs, options Options) (created int, err error) {
	var notEmpty bool
	if err := pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM users)`).Scan(&notEmpty); err != nil || notEmpty {
		return 0, pg.Fault(err)
	}
	hash, err := auth.HashPassword(ctx, cmp.Or(options.Password, Password))
	if err != nil {
		return 0, err
	}
	w, err := newDataset(time.Now().UTC(), options, hash)
	if err != nil {
		return 0, err
	}
	// Store the blobs before the transaction begins, so that it does not wait for a remote store.
	if err := w.putBlobs(ctx, blobs); err != nil {
		return 0, err
	}
	err = pg.TxDo(ctx, pool, func(tx pgx.Tx) error { return w.write(ctx, tx) })
	if err == nil {
		return len(w.people), nil
	}
	w.removeBlobs(context.WithoutCancel(ctx), blobs)
	if errors.Is(err, errNotEmpty) {
		return 0, nil
	}
	return 0, fmt.Errorf("seeding: %w", err)
}

// HasMembers reports whether there are demo members.
func HasMembers(ctx context.Context, db pg.DB) (has bool, err error) {
	err = db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM users WHERE is_demo)`).Scan(&has)
	return has, err
}

// StaffAddress returns the address of a demo member who is an admin or a moderator, or nil if there is none.
func StaffAddress(ctx context.Context, db pg.DB) (address *string, err error) {
	err = db.QueryRow(ctx, `
		SELECT min(email)
		FROM users
		WHERE is_demo
			AND (is_admin OR is_moderator)`).Scan(&address)
	return address, err
}

// ReplacePublishedPassword sets the password of the accounts whose password is Password, and
// returns their number.
func ReplacePublishedPassword(ctx context.Context, pool *pgxpool.Pool, password string) (changed int, err error) {
	type account struct {
		ID   uuid.UUID
		Hash string
	}
	rows, _ := pool.Query(ctx, `
		SELECT
			id,
			password_hash AS hash
		FROM users
		WHERE is_demo
			AND password_hash IS NOT NULL`)
	accounts, err := pgx.CollectRows(rows, pgx.RowToStructByName[account])
	if err != nil {
		return 0, pg.Fault(err)
	}
	for _, a := range accounts {
		published, err := argon2id.ComparePasswordAndHash(Password, a.Hash)
		if err != nil {
			return changed, err
		}
		if !published {
			continue
		}
		hash, err := auth.HashPassword(ctx, password)
		if err != nil {
			return changed, err
		}
		if _, err := members.SetPasswordHash(ctx, pool, a.ID, hash); err != nil {
			return changed, pg.Fault(err)
		}
		changed++
	}
	return changed, nil
}

// RefreshActivity moves the last activities of the demo members forward by the same time, so that the newest of them is
// now. It does nothing if the newest is less than an hour old. It leaves the accounts to sign in with, whose activity is
// real.
func RefreshActivity(ctx context.Context, pool *pgxpool.Pool) error {
	err := pg.TxDo(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, longTimeout); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `
			WITH demo AS (
				SELECT
					a.user_id,
					a.last_active_at
				FROM member_activity a
				JOIN users u ON u.id = a.user_id
				WHERE u.is_demo
					AND u.email <> ALL($1)
				ORDER BY a.user_id
				FOR NO KEY UPDATE OF a
			), newest AS (
				SELECT max(last_active_at) AS at
				FROM demo
			)
			UPDATE member_activity a
			SET last_active_at = a.last_active_at + (now() - newest.at)
			FROM demo, newest
			WHERE a.user_id = demo.user_id
				AND newest.at < now() - interval '1 hour'`, []string{DemoEmail, AdminEmail})
		return err
	})
	if err != nil {
		return fmt.Errorf("moving the activity of demo members: %w", err)
	}
	return nil
}

// longTimeout replaces the default timeout, which is too short for 100,000 members.
const longTimeout = `SET LOCAL statement_timeout = '10min'`

// write inserts all rows, or returns errNotEmpty if the database has members. Runs wait for each other.
func (w *dataset) write(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, longTimeout); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1, 0)`, seedLock); err != nil {
		return err
	}
	var notEmpty bool
	if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM users)`).Scan(&notEmpty); err != nil {
		return err
	}
	if notEmpty {
		return errNotEmpty
	}
	for _, copied := range []struct {
		table   string
		columns []string
		rows    pgx.CopyFromSource
	}{
		{"users", userColumns, pgx.CopyFromSlice(len(w.people), func(i int) ([]any, error) { return w.people[i].row(), nil })},
		{"member_activity", activityColumns, pgx.CopyFromSlice(len(w.people), func(i int) ([]any, error) {
			return []any{w.people[i].id, w.people[i].active}, nil
		})},
		{"files", fileColumns, pgx.CopyFromRows(w.files)},
		{"member_prompts", promptColumns, pgx.CopyFromRows(w.prompts)},
		{"member_media", mediaColumns, pgx.CopyFromRows(w.media)},
		{"referrals", referralColumns, pgx.CopyFromRows(w.referrals)},
		{"user_likes", likeColumns, pgx.CopyFromRows(w.likes)},
		{"user_passes", passColumns, pgx.CopyFromRows(w.passes)},
		{"matches", matchColumns, pgx.CopyFromRows(w.matches)},
		{"conversations", conversationColumns, pgx.CopyFromRows(w.conversations)},
		{"messages", messageColumns, pgx.CopyFromRows(w.messages)},
		{"dates", dateColumns, pgx.CopyFromRows(w.dates)},
		{"graduated_couples", coupleColumns, pgx.CopyFromRows(w.couples)},
		{"couple_members", coupleMemberColumns, pgx.CopyFromRows(w.coupleMembers)},
		{"couple_pictures", couplePictureColumns, pgx.CopyFromRows(w.couplePictures)},
		{"love_pulse", pulseColumns, pgx.CopyFromRows(w.pulses)},
		{"pulse_sharing", sharingColumns, pgx.CopyFromRows(w.sharing)},
		{"verifications", verificationColumns, pgx.CopyFromRows(w.verifications)},
		{"notification_positions", positionColumns, pgx.CopyFromRows(w.positions)},
		{"community_posts", postColumns, pgx.CopyFromRows(w.posts)},
		{"post_likes", postLikeColumns, pgx.CopyFromRows(w.postLikes)},
		{"post_comments", commentColumns, pgx.CopyFromRows(w.comments)},
		{"message_files", messageFileColumns, pgx.CopyFromRows(w.messageFiles)},
	} {
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{copied.table}, copied.columns, copied.rows); err != nil {
			return fmt.Errorf("%s: %w", copied.table, err)
		}
	}
	if err := w.awardBadges(ctx, tx); err != nil {
		return err
	}
	// Without statistics, the first searches are planned for an empty table.
	_, err := tx.Exec(ctx, `ANALYZE users, member_activity`)
	return err
}
