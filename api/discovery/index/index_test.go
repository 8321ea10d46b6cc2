package index_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery/compat"
	"heartward/api/discovery/index"
	"heartward/api/platform/testkit"
)

var (
	tags      = []string{"Long-term", "Marriage", "Friendship", "Healing", "Personal growth", "Travel companion", "Adventure together"}
	education = []string{"high_school", "some_college", "bachelors", "masters", "doctorate"}
	religion  = []string{"christian", "jewish", "muslim", "spiritual", "agnostic", "atheist", "other"}
)

// populate fills an index with n members: six in ten in 40 metro areas of five
// towns, the others in 5,000 towns.
func populate(n int) *index.Index {
	r := rand.New(rand.NewPCG(1, 2))
	answer := func() *bool {
		if yes := r.IntN(3); yes < 2 {
			is := yes == 1
			return &is
		}
		return nil
	}
	choice := func(list []string) *string {
		if r.IntN(4) == 0 {
			return nil
		}
		return &list[r.IntN(len(list))]
	}
	ix := index.New()
	batch := []index.Member{}
	for i := range n {
		m := index.Member{Birth: (1950+r.IntN(56))*10_000 + (1+r.IntN(12))*100 + 1 + r.IntN(28), State: "XX",
			HasChildren: answer(), WantsChildren: answer(), Education: choice(education), Religion: choice(religion),
			Featured: r.IntN(50) == 0, Verified: r.IntN(4) == 0, Created: int64(i), ActiveHour: r.IntN(1000), Completeness: 10 * r.IntN(11), Presents: i%3 > 0,
			Attributes: index.Attributes{uint64(r.Uint32() & r.Uint32() & (1<<26 - 1))}}
		binary.BigEndian.PutUint64(m.ID[:], r.Uint64())
		binary.BigEndian.PutUint64(m.ID[8:], uint64(i)+1)
		for range r.IntN(4) {
			if tag := tags[r.IntN(len(tags))]; !slices.Contains(m.IntentionTags, tag) {
				m.IntentionTags = append(m.IntentionTags, tag)
			}
		}
		lat, lon := randomPosition(r)
		m.City = fmt.Sprintf("Town %.3f %.3f", lat, lon)
		m.Lat, m.Lon = &lat, &lon
		if batch = append(batch, m); len(batch) == 10_000 || i == n-1 {
			ix.Put(batch...)
			batch = batch[:0]
		}
	}
	ix.Compact()
	return ix
}

func randomPosition(r *rand.Rand) (lat, lon float64) {
	if r.IntN(10) < 6 {
		metro := r.IntN(40)
		return 30 + float64(metro%8)*2.5 + float64(r.IntN(5))*0.1, -120 + float64(metro/8)*9
	}
	town := r.IntN(5000)
	return 28 + float64(town%70)*0.3, -122 + float64(town/70)*0.7
}

func TestNeedsReload_WhenMostTownsAreEmpty(t *testing.T) {
	t.Parallel()
	ix := index.New()
	m := index.Member{ID: uuid.New(), State: "XX"}
	for i := range 10_002 {
		require.False(t, ix.NeedsReload())
		m.City = fmt.Sprintf("Town %d", i)
		ix.Put(m)
	}
	ix.Put(m)
	require.False(t, ix.NeedsReload(), "only one town has a member")
	ix.Remove(m.ID)
	require.True(t, ix.NeedsReload())
	ix.Put(m)
	require.False(t, ix.NeedsReload())
	ix.Compact()
	require.False(t, ix.NeedsReload())
}

func viewer() index.Query {
	yes, bachelors := true, "bachelors"
	lat, lon := 35.0, -111.0
	return index.Query{
		Viewer: compat.Person{Age: 34, Town: compat.KnownTown("Town 35.000 -111.000", "XX", lat, lon),
			IntentionTags: []string{"Long-term", "Marriage"}, WantsChildren: &yes, Education: &bachelors},
		City: "Town 35.000 -111.000", State: "XX", Today: 20261121, Limit: 51,
	}
}

func near() index.Query {
	q := viewer()
	q.MinAge, q.MaxAge, q.MaxMiles, q.ActiveSince = 18, 65, 50, 832
	return q
}

func loose() index.Query {
	q := viewer()
	q.MinAge, q.MaxAge, q.MinScore, q.MinCompleteness, q.ActiveSince = 18, 99, 5, 10, 280
	q.AnyTag, q.AnyOf = tags, []index.Attributes{{1<<10 - 1}, {1<<20 - 1<<10}, {1<<26 - 1<<20}}
	q.NewestFirst, q.LikedAttributes = true, index.Attributes{0xff}
	return q
}

func blank() index.Query {
	q := viewer()
	q.Viewer.IntentionTags, q.Viewer.WantsChildren, q.Viewer.Education = nil, nil, nil
	return q
}

func strict() index.Query {
	q := loose()
	q.Verified, q.MinCompleteness, q.ActiveSince = true, 100, 990
	return q
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		began := time.Now()
		ix := populate(n)
		stats := ix.Stats()
		b.Logf("%d members in %s: %d bytes each", n, time.Since(began).Round(time.Millisecond), stats.Bytes/n)
		for name, q := range map[string]index.Query{"near": near(), "loose": loose(), "blank": blank(), "strict": strict()} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					ix.Search(uuid.Max, q)
				}
			})
		}
	}
}

// After random additions, changes and removals, an index has the same results as a new one
// with the same members.
func TestIndex_EqualsNewIndexAfterChanges(t *testing.T) {
	t.Parallel()
	r := testkit.Rand(t, 3)
	ix, current := index.New(), map[uuid.UUID]index.Member{}
	all := viewer()
	all.Limit = 5000
	for round := range 60 {
		for range 50 {
			m := index.Member{ID: uuid.UUID{15: byte(r.IntN(250)), 0: byte(r.IntN(3))}, Birth: 19900101, City: fmt.Sprint("Town ", r.IntN(9)),
				IntentionTags: tags[:r.IntN(4)], Education: &education[r.IntN(5)], Created: r.Int64N(9), Presents: r.IntN(2) > 0}
			if m.ID == uuid.Nil {
				continue
			}
			if r.IntN(3) == 0 {
				ix.Remove(m.ID)
				delete(current, m.ID)
			} else {
				ix.Put(m)
				current[m.ID] = m
			}
		}
		if round%20 == 19 {
			ix.Compact()
		}
		fresh := index.New()
		for _, m := range current {
			fresh.Put(m)
		}
		want, _ := fresh.Search(uuid.Max, all)
		got, _ := ix.Search(uuid.Max, all)
		require.Equal(t, want, got)
		require.Len(t, got, len(current))
		require.Equal(t, len(current), ix.Stats().Members)
	}
}

// Members without a photo and words come after all who have both, whatever the scores.
func TestSearch_ThoseWhoPresentThemselvesComeFirst(t *testing.T) {
	t.Parallel()
	ix := populate(5_000)
	for name, q := range map[string]index.Query{"near": near(), "loose": loose(), "blank": blank()} {
		q.Limit = 10_000
		all, _ := ix.Search(uuid.Max, q)
		first := slices.IndexFunc(all, func(r index.Result) bool { return !r.Presents })
		require.Positive(t, first, name)
		for i, r := range all {
			require.Equal(t, i < first, r.Presents, name)
			if i > 0 && i != first {
				require.LessOrEqual(t, r.Score, all[i-1].Score, name)
			}
		}
		require.Greater(t, all[first].Score, all[first-1].Score, name)
	}
}

// The count of a search is the number of members after the position, up to the limit of
// the count. It does not depend on the size of the page.
func TestSearch_CountsMembersAfterPosition(t *testing.T) {
	t.Parallel()
	ix := populate(5_000)
	for name, q := range map[string]index.Query{"near": near(), "loose": loose(), "blank": blank(), "strict": strict()} {
		q.Limit = 10_000
		all, _ := ix.Search(uuid.Max, q)
		require.NotEmpty(t, all, name)
		for _, skipped := range []int{0, 1, len(all) / 2, len(all) - 1} {
			if q.After = nil; skipped > 0 {
				q.After = &all[skipped-1]
			}
			for _, countTo := range []int{0, 1, 7, 10_000} {
				for _, limit := range []int{1, 20, 10_000} {
					q.Limit, q.CountTo = limit, countTo
					page, count := ix.Search(uuid.Max, q)
					require.Equal(t, min(countTo, len(all)-skipped), count, "%s, after %d, to %d", name, skipped, countTo)
					require.Equal(t, append([]index.Result(nil), all[skipped:min(skipped+limit, len(all))]...), page, name)
				}
			}
		}
		count, more := ix.Count(uuid.Max, q, len(all)-1)
		require.Equal(t, len(all)-1, count)
		require.True(t, more)
		count, more = ix.Count(uuid.Max, q, len(all))
		require.Equal(t, len(all), count)
		require.False(t, more)
	}
}
