package members_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
)

func TestChange_BirthDateOnceByAtMostAYear(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	base := time.Now().UTC().AddDate(-30, 0, -40)
	if base.Day() == 29 { // of February: not in every year
		base = base.AddDate(0, 0, -1)
	}
	born := func(years, days int) string { return base.AddDate(30-years, 0, days).Format(time.DateOnly) }
	for name, steps := range map[string][]struct {
		body   string
		status int
	}{
		"far younger":                {{`{"age":18}`, 422}, {`{"birthDate":"` + born(18, 0) + `"}`, 422}, {`{"age":29}`, 200}},
		"a year, once":               {{`{"birthDate":"` + born(30, 0) + `"}`, 200}, {`{"birthDate":"` + born(29, 0) + `"}`, 200}, {`{"birthDate":"` + born(30, 0) + `"}`, 422}, {`{"age":28}`, 422}},
		"more than a year":           {{`{"birthDate":"` + born(30, 0) + `"}`, 200}, {`{"birthDate":"` + born(29, 1) + `"}`, 422}, {`{"birthDate":"` + born(31, -1) + `"}`, 422}, {`{"birthDate":"` + born(31, 0) + `"}`, 200}},
		"the same again":             {{`{"age":30}`, 200}, {`{"age":30}`, 200}, {`{"birthDate":"` + born(30, 0) + `"}`, 200}, {`{"birthDate":"` + born(30, 0) + `"}`, 200}, {`{"age":29}`, 200}},
		"withdrawn and stated again": {{`{"birthDate":"` + born(30, 0) + `"}`, 200}, {`{"birthDate":null}`, 200}, {`{"birthDate":"` + born(30, 37) + `"}`, 422}, {`{"birthDate":"` + born(30, 0) + `"}`, 200}},
		"an age instead of a date":   {{`{"birthDate":"` + born(30, 0) + `"}`, 200}, {`{"age":30}`, 200}, {`{"birthDate":"` + born(30, 37) + `"}`, 422}},
		"an age does not become new": {{`{"age":30}`, 200}, {`{"age":31}`, 200}, {`{"age":30}`, 422}},
	} {
		id := w.join("Ada" + string(rune('a'+w.Count(`SELECT count(*) FROM users`))))
		for i, step := range steps {
			before := w.call(id, "GET", "/api/users/me", "").Body.String()
			response := w.call(id, "PATCH", "/api/users/me", step.body)
			require.Equal(t, step.status, response.Code, "%s, step %d: %s", name, i+1, response.Body)
			if step.status == 422 {
				require.Equal(t, before, w.call(id, "GET", "/api/users/me", "").Body.String(), name)
			}
		}
	}
}

// A member cannot stay at an age by sending it again each year.
func TestChange_AgeGoesOn(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.join("Ada")
	w.Exec(`UPDATE users SET birth_date = birth_date - 300 WHERE id = $1`, id)
	before := testkit.Select[time.Time](t, w.Pool, `SELECT birth_date FROM users WHERE id = $1`, id)
	require.Equal(t, 200, w.call(id, "PATCH", "/api/users/me", `{"age":30}`).Code)
	require.Equal(t, before, testkit.Select[time.Time](t, w.Pool, `SELECT birth_date FROM users WHERE id = $1`, id))
}

func TestCorrectBirthDate_SetsAnyDateAndEndsVerification(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.join("Ada")
	w.Exec(`UPDATE users SET verified_at = now(), birth_date_changed_at = now() WHERE id = $1`, id)
	require.NoError(t, pg.TxDo(t.Context(), w.Pool, func(tx pgx.Tx) error { return members.CorrectBirthDate(t.Context(), tx, id, "1970-03-04") }))
	me := decode[members.Me](t, w.call(id, "GET", "/api/users/me", ""))
	require.Equal(t, "1970-03-04", *me.BirthDate)
	require.False(t, me.IsVerified)
	require.Error(t, pg.TxDo(t.Context(), w.Pool, func(tx pgx.Tx) error { return members.CorrectBirthDate(t.Context(), tx, id, "2020-03-04") }))
}

// The age of somebody born on the 29th of February is the same on the profile, in SQL, as where it is checked, in Go, also in
// years without that day (kenn/age_calculator #4).
func TestAgeOn_AgreesWithSQLAroundLeapDays(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for _, born := range []string{"1996-02-28", "1996-02-29", "1996-03-01", "1997-02-28", "1997-03-01", "2000-02-29"} {
		for _, today := range []string{"2026-02-27", "2026-02-28", "2026-03-01", "2028-02-28", "2028-02-29", "2028-03-01", "2096-02-29", "2100-02-28", "2100-03-01"} {
			day, err := time.Parse(time.DateOnly, born)
			require.NoError(t, err)
			now, err := time.Parse(time.DateOnly, today)
			require.NoError(t, err)
			var age int
			err = w.Pool.QueryRow(t.Context(), `SELECT date_part('year', age($1::text::date, $2::text::date))::int`, today, born).Scan(&age)
			require.NoError(t, err)
			require.Equal(t, age, members.AgeOn(day, now), "born on %s, on %s", born, today)
		}
	}
}
