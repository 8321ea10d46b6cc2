package discovery

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"time"

	"github.com/google/uuid"

	"heartward/api/discovery/index"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// Ranked is an id and score in a ranking.
type Ranked struct {
	ID    uuid.UUID
	Score int
}

// cursor is the sort key of a row in a ranking, with a fingerprint of the filters, because
// it is meaningless with other filters. It does not contain the hash that breaks ties,
// which is computed from viewer and id.
type cursor struct {
	Score            int              `json:"s"`
	Created          int64            `json:"c,omitempty"`
	Featured         bool             `json:"f"`
	CommonAttributes int              `json:"a,omitempty"`
	Presents         bool             `json:"p,omitempty"`
	ID               uuid.UUID        `json:"i"`
	LikedAttributes  index.Attributes `json:"l,omitzero"` // Query.LikedAttributes of the first page
	Filter           uint32           `json:"h"`
}

func cursorAt(last index.Result, liked index.Attributes, filter uint32) cursor {
	return cursor{
		Score: last.Score, Created: last.Created, Featured: last.Featured, CommonAttributes: last.CommonAttributes,
		Presents: last.Presents, ID: last.ID, LikedAttributes: liked, Filter: filter,
	}
}

// result returns the row of the ranking at the cursor.
func (c cursor) result() *index.Result {
	return &index.Result{
		ID: c.ID, Score: c.Score, Created: c.Created, Featured: c.Featured, CommonAttributes: c.CommonAttributes, Presents: c.Presents,
	}
}

// Rest is the part of a ranking after a page. Its zero value is the end of the ranking.
type Rest struct {
	Cursor string
	Count  int  // at most maxCounted
	More   bool // whether there are more than Count

	// When more people are shown, if this page lacks some because the viewer was shown as
	// many new ones as the day allows; otherwise nil.
	NewPeopleAt *time.Time
}

// Rank returns a page of the ids and scores of Search. It is for tests and measurements.
func (s *Service) Rank(ctx context.Context, viewer uuid.UUID, set FilterSet, page Page) ([]Ranked, Rest, error) {
	_, results, rest, err := s.rank(ctx, viewer, set, page)
	rows := make([]Ranked, len(results))
	for i, result := range results {
		rows[i] = Ranked{result.ID, result.Score}
	}
	return rows, rest, err
}

// Count returns the number of members that match set for viewer, at most limit, and
// whether there are more. It returns the errors of Search. It is for tests and measurements.
func (s *Service) Count(ctx context.Context, viewer uuid.UUID, set FilterSet, limit int) (count int, more bool, err error) {
	release, err := s.acquireSlot(ctx)
	if err != nil {
		return 0, false, err
	}
	defer release()
	me, err := selectViewer(ctx, s.pool, viewer)
	if err != nil {
		return 0, false, err
	}
	in, err := s.loadedIndex()
	if err != nil {
		return 0, false, err
	}
	count, more = in.Count(viewer, query(me, set, uuid.Nil), limit)
	return count, more, nil
}

// rank returns a page of index results for Search, with one row of the viewer that the whole search uses.
func (s *Service) rank(ctx context.Context, viewer uuid.UUID, set FilterSet, page Page) (me viewer, results []index.Result, rest Rest, err error) {
	filterHash := fingerprint(set, page.Exclude)
	list := web.List{Name: "ranking", Member: viewer}
	var after *cursor
	if page.Cursor != "" {
		after = &cursor{}
		if err := web.DecodeCursor(list, page.Cursor, after); err != nil {
			return me, nil, Rest{}, err
		}
		if after.Filter != filterHash {
			return me, nil, Rest{}, fault.InvalidField("query.cursor", "The filters have changed since this list began. Please start again.")
		}
	}
	release, err := s.acquireSlot(ctx)
	if err != nil {
		return me, nil, Rest{}, err
	}
	defer release()
	if me, err = selectViewer(ctx, s.pool, viewer); err != nil {
		return me, nil, Rest{}, err
	}
	q := query(me, set, page.Exclude)
	q.Limit, q.CountTo = page.Limit+1, page.Limit+maxCounted+1
	switch {
	case after != nil:
		q.LikedAttributes = after.LikedAttributes
		q.After = after.result()
	case set.MLRecommendations:
		if q.LikedAttributes, err = selectLikedAttributes(ctx, s.pool, viewer); err != nil {
			return me, nil, Rest{}, err
		}
	}
	in, err := s.loadedIndex()
	if err != nil {
		return me, nil, Rest{}, err
	}
	results, count := in.Search(viewer, q)
	if len(results) > page.Limit {
		results = results[:page.Limit]
		last := results[page.Limit-1]
		rest.Count, rest.More = min(count-page.Limit, maxCounted), count-page.Limit > maxCounted
		rest.Cursor = web.EncodeCursor(list, cursorAt(last, q.LikedAttributes, filterHash))
	}
	return me, results, rest, nil
}

// acquireSlot waits for a search slot. The caller must call release.
func (s *Service) acquireSlot(ctx context.Context) (release func(), err error) {
	select {
	case s.searches <- struct{}{}:
		return func() { <-s.searches }, nil
	case <-ctx.Done():
		return nil, busy(ctx)
	}
}

func busy(ctx context.Context) error {
	return fault.Wrap(fault.Unavailable, "Many people are looking right now. Please try again in a moment.", ctx.Err()).After(2 * time.Second)
}

// query returns the search of the index for set, which excludes the members of exclude, the viewer and viewer.excluded.
func query(me viewer, set FilterSet, exclude uuid.UUID) index.Query {
	q := index.Query{
		Viewer: me.person, City: me.city, State: me.state, Gender: me.gender, InterestedIn: me.interestedIn,
		Today: me.today, Hour: int(me.now.Unix()/86400) * 24, // of the day, so that a filter does not reveal the hour
		Excluded: setOf(append(me.excluded, me.id, exclude)), Admitted: setOf(me.admitted),
	}
	for _, f := range filters {
		f.query(&q, &set)
	}
	return q
}

func setOf(ids []uuid.UUID) map[uuid.UUID]struct{} {
	set := make(map[uuid.UUID]struct{}, len(ids))
	for _, id := range ids {
		set[id] = struct{}{}
	}
	return set
}

// fingerprint returns a hash of the filters of a ranking.
func fingerprint(set FilterSet, exclude uuid.UUID) uint32 {
	data, err := json.Marshal(struct {
		FilterSet
		Exclude uuid.UUID
	}{set, exclude})
	if err != nil {
		panic("discovery: " + err.Error()) // plain fields only
	}
	h := fnv.New32a()
	h.Write(data)
	return h.Sum32()
}
