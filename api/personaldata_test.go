package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/testkit"
)

// pairTables selects the tables about two members: those with two foreign keys to members, except those to who decided
// something, and those with a foreign key to such a table.
const pairTables = `
	WITH RECURSIVE keys AS (
		SELECT k.conrelid::regclass::text AS table_name, k.confrelid::regclass::text AS target
		FROM pg_constraint k
		JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
		WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace AND a.attname NOT LIKE '%\_by'
	), pairs AS (
		SELECT table_name FROM keys WHERE target = 'users' GROUP BY table_name HAVING count(*) > 1
		UNION
		SELECT k.table_name FROM keys k JOIN pairs p ON k.target = p.table_name
	)
	SELECT table_name FROM pairs`

// One of a pair unmatches or blocks the other: what happens to the rows of each table about two members is what
// docs/personal-data.md says.
func TestPersonalData_PairsAfterUnmatchAndBlock(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	tables := testkit.SelectAll[string](t, s.Pool, pairTables)
	documented := testkit.PersonalData(t)
	for name, table := range documented {
		if table.Unmatch != "" && !slices.Contains(tables, name) {
			tables = append(tables, name)
		}
	}
	unmatched := s.rowsAfter(tables, func(c *cast) httpResponse {
		return s.send(c.cookies["owner"], http.MethodDelete, "/api/matches/"+c.pairs["match"]["match"], "", "")
	})
	blocked := s.rowsAfter(tables, func(c *cast) httpResponse {
		return s.json(c.cookies["owner"], http.MethodPost, "/api/blocks", map[string]string{"userId": c.ids["match"]})
	})
	for _, table := range tables {
		if unmatched[table] != documented[table].Unmatch || blocked[table] != documented[table].Block {
			t.Errorf("%s: After an unmatch they %s, after a block they %s.", table, unmatched[table], blocked[table])
		}
	}
}

// rowsAfter returns for each table whether its rows "stay" or "are deleted" after call.
func (s *env) rowsAfter(tables []string, call func(*cast) httpResponse) map[string]string {
	s.Helper()
	c := s.newCast()
	c.fillPair()
	before := s.countRows(tables)
	response := call(c)
	require.Less(s, response.status, 300, response.body)
	after := s.countRows(tables)
	result := map[string]string{}
	for _, table := range tables {
		require.Positive(s, before[table], "%s has no row: add one to fillPair", table)
		result[table] = "stay"
		if after[table] < before[table] {
			result[table] = "are deleted"
		}
	}
	return result
}

func (s *env) countRows(tables []string) map[string]int {
	s.Helper()
	counts := map[string]int{}
	for _, table := range tables {
		counts[table] = s.Count(fmt.Sprintf(`SELECT count(*) FROM %s`, table))
	}
	return counts
}

// fillPair adds rows about the owner and the match to the tables in which the cast has none.
func (c *cast) fillPair() {
	c.s.Helper()
	owner, match, conversation := c.members["owner"], c.members["match"], c.pairs["match"]["conversation"]
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) VALUES (gen_random_uuid(), $1, $2, 'like'), (gen_random_uuid(), $2, $1, 'like')`, owner, match)
	file := c.newFile(batch, "sentPicture", owner)
	batch.Queue(`INSERT INTO message_files (file_id, conversation_id, seq, position) VALUES ($1, $2, 2, 0)`, file, conversation)
	batch.Queue(`INSERT INTO date_feedback (date_id, user_id, met, note) VALUES ($1, $2, 'yes', '')`, c.pairs["match"]["pastDate"], owner)
	batch.Queue(`INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, source)
		VALUES (gen_random_uuid(), $1, 2, $2, $3, 'Hi', 'filter')`, conversation, owner, match)
	referral := c.newID("referral")
	batch.Queue(`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, joined_at) VALUES ($1, $2, $3, 'ABCDEF', now())`, referral, owner, match)
	batch.Queue(`INSERT INTO invited_addresses (address_mac, mailed_at, referral_id) VALUES (sha256($1::uuid::text::bytea), now(), $1)`, referral)
	batch.Queue(`INSERT INTO pulse_sharing (user_id, couple_id) SELECT user_id, couple_id FROM couple_members WHERE user_id = $1`, match)
	require.NoError(c.s, c.s.Pool.SendBatch(c.s.Context(), batch).Close())
	testkit.FillMember(c.s, c.s.Pool, owner, match, "a text")
}
