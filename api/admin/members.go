package admin

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Member is a member in the list of the admins.
type Member struct {
	ID             uuid.UUID  `json:"id"`
	FullName       string     `json:"fullName"`
	Age            int        `json:"age"`
	City           string     `json:"city"`
	State          string     `json:"state"`
	ProfileStatus  string     `json:"profileStatus" enum:"active,suspended,under_review,leaving" doc:"leaving: the member has asked for the deletion of the account"`
	SuspendedUntil *time.Time `json:"suspendedUntil" nullable:"true" doc:"Null for a suspension without an end"`
	IsFeatured     bool       `json:"isFeatured"`
	IsGraduated    bool       `json:"isGraduated"`
	IsVerified     bool       `json:"isVerified"`
	IsAdmin        bool       `json:"isAdmin" doc:"Admins and moderators cannot be sanctioned here"`
	IsModerator    bool       `json:"isModerator"`
	CreatedAt      time.Time  `json:"createdAt"`
	LastActiveAt   time.Time  `json:"lastActiveAt"`

	nameKey string
}

// Order is the order of the list of members.
type Order string

// The orders.
const (
	Newest     Order = "newest"
	Oldest     Order = "oldest"
	ByName     Order = "name"
	LastActive Order = "last_active"
)

// Filter selects members. A zero field selects all.
type Filter struct {
	Status      string // a profile status
	City        string // without regard to case
	Search      string // an e-mail address, or the beginning of the full or last name
	IsGraduated *bool
	IsVerified  *bool
	IsFeatured  *bool
	Sort        Order // Newest if empty
}

// memberCursor is the sort key of a member: the time or the name, depending on the order.
type memberCursor struct {
	Order Order     `json:"o"`
	At    time.Time `json:"t"`
	Name  string    `json:"n"`
	ID    uuid.UUID `json:"i"`
}

// MemberPage is a page of members.
type MemberPage struct {
	Members []Member
	Next    string // cursor of the next page; empty if there is none
	Total   int    // number of members that the filter selects
}

// Members returns a page of the members that the filter selects. It returns Invalid for a
// cursor of another order or another admin.
func (s *Service) Members(ctx context.Context, admin uuid.UUID, f Filter, page web.Page) (MemberPage, error) {
	if f.Sort == "" {
		f.Sort = Newest
	}
	list := web.List{Name: "members-" + string(f.Sort), Member: admin}
	after := startCursor(f.Sort)
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return MemberPage{}, err
	}
	total, err := countMembers(ctx, s.pool, f)
	if err != nil {
		return MemberPage{}, pg.Fault(err)
	}
	rows, err := selectMembers(ctx, s.pool, f, after, page.Limit+1)
	if err != nil {
		return MemberPage{}, pg.Fault(err)
	}
	rows, next := web.Paginate(list, rows, page.Limit, func(m Member) memberCursor { return cursorOf(m, f.Sort) })
	for i := range rows {
		m := &rows[i]
		m.CreatedAt, m.LastActiveAt = web.Time(m.CreatedAt), web.Time(m.LastActiveAt)
		if m.SuspendedUntil != nil {
			m.SuspendedUntil = new(web.Time(*m.SuspendedUntil))
		}
	}
	return MemberPage{Members: rows, Next: next, Total: total}, nil
}

// startCursor returns a cursor before the first row.
func startCursor(order Order) memberCursor {
	switch order {
	case Newest, LastActive:
		return memberCursor{Order: order, At: web.StartCursor.At, ID: uuid.Max}
	}
	return memberCursor{Order: order}
}

// cursorOf returns the cursor after a member in an order.
func cursorOf(m Member, order Order) memberCursor {
	after := memberCursor{Order: order, At: m.CreatedAt, ID: m.ID}
	switch order {
	case ByName:
		after.Name = m.nameKey
	case LastActive:
		after.At = m.LastActiveAt
	}
	return after
}
