package admin

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
)

// lowerName is the SQL expression by which the list is sorted and searched. The index users_name has the same expression.
const lowerName = `(lower(u.full_name) COLLATE "C")`

// where returns the SQL condition of the filter and its arguments.
func (f Filter) where() (string, pgx.NamedArgs) {
	conditions, args := []string{"true"}, pgx.NamedArgs{}
	add := func(condition, name string, value any) {
		conditions, args[name] = append(conditions, condition), value
	}
	if f.Status != "" {
		add(`u.profile_status = @status`, "status", f.Status)
		if f.Status != "active" {
			conditions = append(conditions, `u.profile_status <> 'active'`) // the condition of the index users_hidden
		}
	}
	if city := strings.TrimSpace(f.City); city != "" {
		add(`lower(u.city) = lower(@city)`, "city", city)
	}
	switch search := strings.ToLower(strings.TrimSpace(f.Search)); {
	case strings.Contains(search, "@"):
		add(`u.identity_key = @email`, "email", mailaddr.Of(search).Identity)
	case search != "":
		add(`(`+lowerName+` LIKE @name OR lower(u.last_name) COLLATE "C" LIKE @name)`, "name", escapeLike(search)+"%")
	}
	for condition, value := range map[string]*bool{
		`u.is_graduated`: f.IsGraduated, `u.is_featured`: f.IsFeatured, `(u.verified_at IS NOT NULL)`: f.IsVerified,
	} {
		switch {
		case value == nil:
		case *value:
			conditions = append(conditions, condition)
		default:
			conditions = append(conditions, `NOT `+condition)
		}
	}
	return strings.Join(conditions, " AND "), args
}

// escapeLike returns text as a pattern of LIKE that matches only itself.
func escapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}

// orders has, for each order, the tables, the condition of the rows after a cursor and the ORDER
// BY list. Of the last activity, only the hour is in an index: LastActive sorts by the hour first, which
// does not change the order, so that it can use the index.
var orders = map[Order]struct{ from, after, by string }{
	Newest: {`managed_members u`, `(u.created_at, u.id) < (@at, @id)`, `u.created_at DESC, u.id DESC`},
	Oldest: {`managed_members u`, `(u.created_at, u.id) > (@at, @id)`, `u.created_at, u.id`},
	ByName: {`managed_members u`, `(` + lowerName + `, u.id) > (@after_name, @id)`, lowerName + `, u.id`},
	LastActive: {
		`member_active_hours h JOIN managed_members u ON u.id = h.user_id`,
		`h.active_hour <= date_bin('1 hour', @at, '2000-01-01T00:00:00Z') AND (u.last_active_at, u.id) < (@at, @id)`,
		`h.active_hour DESC, u.last_active_at DESC, u.id DESC`,
	},
}

const memberColumns = `
			u.id,
			u.full_name,
			u.age,
			u.city,
			u.state,
			u.profile_status,
			u.suspended_until,
			u.is_featured,
			u.is_graduated,
			u.verified_at IS NOT NULL,
			u.is_admin,
			u.is_moderator,
			u.created_at,
			u.last_active_at,
			` + lowerName

// targets returns the destinations of memberColumns.
func (m *Member) targets() []any {
	return []any{
		&m.ID, &m.FullName, &m.Age, &m.City, &m.State, &m.ProfileStatus, &m.SuspendedUntil, &m.IsFeatured, &m.IsGraduated,
		&m.IsVerified, &m.IsAdmin, &m.IsModerator, &m.CreatedAt, &m.LastActiveAt, &m.nameKey,
	}
}

func selectMembers(ctx context.Context, db pg.DB, f Filter, after memberCursor, limit int) ([]Member, error) {
	where, args := f.where()
	args["at"], args["after_name"], args["id"], args["limit"] = after.At, after.Name, after.ID, limit
	order := orders[f.Sort]
	rows, _ := db.Query(ctx, `
		SELECT `+memberColumns+`
		FROM `+order.from+`
		WHERE `+order.after+`
			AND `+where+`
		ORDER BY `+order.by+`
		LIMIT @limit`, args)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (m Member, err error) {
		err = row.Scan(m.targets()...)
		return m, err
	})
}

func countMembers(ctx context.Context, db pg.DB, f Filter) (total int, err error) {
	where, args := f.where()
	err = db.QueryRow(ctx, `SELECT count(*) FROM managed_members u WHERE `+where, args).Scan(&total)
	return total, err
}
