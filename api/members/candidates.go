package members

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// Candidate is a member on a page of the search: the card, and what the search compares. The viewer gets the card only.
type Candidate struct {
	CandidateCard
	Compared       `json:"-"`
	WasActiveToday bool `json:"-"` // or yesterday (UTC); false if the member hides it
	IsNew          bool `json:"-"` // joined in the last 7 days
}

// Compared is what the search compares of a member, besides the age and the intention tags.
type Compared struct {
	SeenCity        string   // the visited town during a visit
	SeenState       string   // of SeenCity
	SeenLat         *float64 // of the centre of SeenCity, in degrees; nil if it is not known
	SeenLon         *float64
	IsVisiting      bool
	HasChildren     *bool
	WantsChildren   *bool
	Education       *string
	CountedReligion *string // nil also if the member does not let it count
}

// ComparedColumns are the columns of Compared, of search_members u or visible_members u.
const ComparedColumns = `
	u.seen_city,
	u.seen_state,
	u.seen_lat,
	u.seen_lon,
	u.is_visiting,
	u.has_children,
	u.wants_children,
	u.education,
	u.counted_religion`

// candidatesSQL reads each row of users once. It reveals of the time of joining only the hour.
var candidatesSQL = `
	SELECT
		` + cardColumns + `,
		` + ComparedColumns + `,
		u.was_active_today,
		u.created_at >= date_trunc('hour', now(), 'UTC') - interval '7 days' AS is_new
	FROM visible_members(@viewer) u
	WHERE u.id = ANY(@ids)`

// Candidates returns those of the members ids whom viewer may see, which may include viewer.
func Candidates(ctx context.Context, db pg.DB, viewer uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]Candidate, error) {
	rows, _ := db.Query(ctx, candidatesSQL, pgx.NamedArgs{"ids": ids, "viewer": viewer})
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[Candidate])
	if err != nil {
		return nil, pg.Fault(err)
	}
	byID := make(map[uuid.UUID]Candidate, len(found))
	for _, c := range found {
		for i := range c.Photos {
			setURLs(&c.Photos[i])
		}
		c.ProfileImageURL = firstThumb(c.Photos)
		byID[c.ID] = c
	}
	return byID, nil
}
