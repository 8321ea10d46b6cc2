package graduation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// WallEntry is a couple on the Legacy Wall, as everyone sees it.
type WallEntry struct {
	ID            uuid.UUID       `json:"id"`
	FirstNames    []string        `json:"firstNames" doc:"Two"`
	LegacyMessage string          `json:"legacyMessage" doc:"May be empty"`
	GraduatedAt   time.Time       `json:"graduatedAt"`
	Pictures      []CouplePicture `json:"pictures" doc:"At most 6"`
	IsSample      bool            `json:"isSample" doc:"Whether the two are members of the demo data"`
}

// Wall returns a page of the couples who want to be on the wall, the newest first. A member does not
// see couples with a member whom they have blocked, or who has blocked them. viewer is Nil for a
// visitor. It returns Invalid for an invalid cursor.
func (s *Service) Wall(ctx context.Context, viewer uuid.UUID, page web.Page) ([]WallEntry, string, error) {
	list := web.List{Name: "legacy-wall", Member: viewer}
	after := web.StartCursor
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	entries, err := selectWall(ctx, s.pool, viewer, after, page.Limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	entries, next := web.Paginate(list, entries, page.Limit, func(e WallEntry) web.Cursor { return web.Cursor{At: e.GraduatedAt, ID: e.ID} })
	return entries, next, pg.Fault(addPictures(ctx, s.pool, entries))
}

// wallSQL takes the time and id of the last entry, the viewer and the limit.
const wallSQL = `
	SELECT
		w.id,
		ARRAY[one.first_name, two.first_name],
		w.legacy_message,
		w.graduated_at,
		EXISTS (SELECT FROM credentials c WHERE c.user_id IN (w.user_one_id, w.user_two_id) AND c.is_demo)
	FROM legacy_wall w
	JOIN profiles one ON one.id = w.user_one_id
	JOIN profiles two ON two.id = w.user_two_id
	WHERE (w.graduated_at, w.id) < ($1, $2)
		AND NOT EXISTS (SELECT FROM blocked_pairs b WHERE b.member_id = $3 AND b.peer_id IN (w.user_one_id, w.user_two_id))
	ORDER BY w.graduated_at DESC, w.id DESC
	LIMIT $4`

func selectWall(ctx context.Context, db pg.DB, viewer uuid.UUID, after web.Cursor, limit int) ([]WallEntry, error) {
	rows, _ := db.Query(ctx, wallSQL, after.At, after.ID, viewer, limit)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (e WallEntry, err error) {
		err = row.Scan(&e.ID, &e.FirstNames, &e.LegacyMessage, &e.GraduatedAt, &e.IsSample)
		return e, err
	})
}

// addPictures adds the pictures, and the times as responses contain them.
func addPictures(ctx context.Context, db pg.DB, entries []WallEntry) error {
	ids := make([]uuid.UUID, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	pictures, err := selectPictures(ctx, db, ids, true)
	for i, e := range entries {
		entries[i].Pictures = pictures[e.ID]
		if entries[i].Pictures == nil {
			entries[i].Pictures = []CouplePicture{}
		}
		entries[i].GraduatedAt = web.Time(e.GraduatedAt)
	}
	return err
}

// SetWall stores whether the member wants the couple on the wall, and which of the own chosen
// pictures stay on it, and returns the new state. Others cannot be added, because a moderator has
// not seen them. It returns NotFound without a couple, and Invalid for another picture.
func (s *Service) SetWall(ctx context.Context, actor uuid.UUID, onWall bool, pictures []uuid.UUID) (CoupleState, error) {
	return s.changeOwn(ctx, actor, func(tx pgx.Tx, _ *Couple) error { return updateWall(ctx, tx, actor, onWall, pictures) })
}

// Agree sets which of the partner's pictures the member wants on the wall, and returns the new state.
// The wall shows no others of the partner's. It returns NotFound before the acceptance, and Conflict if
// the partner has taken one of them off.
func (s *Service) Agree(ctx context.Context, actor uuid.UUID, pictures []uuid.UUID) (CoupleState, error) {
	return s.changeOwn(ctx, actor, func(tx pgx.Tx, own *Couple) error {
		if own.Status == "asked" {
			return notFound()
		}
		return agree(ctx, tx, own.ID, actor, pictures, somePictures)
	})
}

// changeOwn runs fn on actor's couple with actor's lock, announces the change and returns the new
// state. It returns NotFound without a couple.
func (s *Service) changeOwn(ctx context.Context, actor uuid.UUID, fn func(pgx.Tx, *Couple) error) (CoupleState, error) {
	done, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (change, error) {
		if err := matching.LockActor(ctx, tx, actor); err != nil {
			return change{}, err
		}
		own, err := selectOwnCouple(ctx, tx, actor)
		if err != nil {
			return change{}, err
		}
		if own == nil {
			return change{}, notFound()
		}
		return own.changeBy(actor), fn(tx, own)
	})
	if err != nil {
		return CoupleState{}, err
	}
	return s.announceChange(ctx, actor, done)
}
