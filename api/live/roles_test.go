package live_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// frameTable has the expected response to each type of frame that a caller sends about the
// owner: the type of the response, the kind of an error frame, or the pong of a ping that is sent
// after it if there is no response.
//
// The blocked member and the member under review had and have a conversation with the owner.
// The roles without a session get no socket; see frameRoles.
var frameTable = map[string]struct {
	frame     string // %[1]s is the owner, %[2]s the caller
	responses [6]string
}{
	//                                                          match, stranger, blocked, under review, moderator, admin
	"auth":             {`"userId":"%[1]s"`, [6]string{"forbidden", "forbidden", "forbidden", "forbidden", "forbidden", "forbidden"}},
	"get_online_users": {`"userId":"%[1]s"`, [6]string{"online_users", "online_users", "online_users", "online_users", "online_users", "online_users"}},
	"send_message": {`"recipientId":"%[1]s","content":"Hello"`,
		[6]string{"ack", "not_found", "not_found", "forbidden", "not_found", "not_found"}},
	"typing_start":      {`"recipientId":"%[1]s"`, [6]string{"pong", "not_found", "not_found", "forbidden", "not_found", "not_found"}},
	"typing_stop":       {`"recipientId":"%[1]s"`, [6]string{"pong", "not_found", "not_found", "forbidden", "not_found", "not_found"}},
	"mark_read":         {`"senderId":"%[1]s"`, [6]string{"pong", "not_found", "not_found", "pong", "not_found", "not_found"}},
	"mark_delivered":    {`"senderId":"%[1]s","seq":1`, [6]string{"pong", "not_found", "not_found", "pong", "not_found", "not_found"}},
	"join_conversation": {`"otherUserId":"%[1]s"`, [6]string{"conversation_joined", "not_found", "not_found", "conversation_joined", "not_found", "not_found"}},
	"ping":              {`"userId":"%[2]s"`, [6]string{"pong", "pong", "pong", "pong", "pong", "pong"}},
}

var frameRoles = [6]string{"match", "stranger", "blocked", "under review", "moderator", "admin"}

// Sends a frame of each type in each role of frameTable. A type without a row fails the
// test. A socket without a session is refused.
func TestFrames_EnforceRoles(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	testkit.SameElements(t, live.FrameTypes(), slices.Collect(maps.Keys(frameTable)), "each type of frame has a row")
	for _, cookie := range []string{"", "sid=" + uuid.NewString()} {
		_, response, err := n.handshake(http.Header{"Cookie": {cookie}, "Origin": {"http://" + n.address}})
		require.Error(t, err)
		require.Equal(t, http.StatusUnauthorized, response.StatusCode, "signed out or suspended")
	}
	owner, callers := w.frameCallers()
	for kind, row := range frameTable {
		for i, role := range frameRoles {
			c := n.connect(t, callers[role])
			fields := fmt.Sprintf(row.frame+"%.0[2]s", owner.ID, callers[role].ID) // %.0[2]s prints nothing: it uses the caller, which some frames lack
			c.send(`{"type":%q,%s}`, kind, fields)
			if kind != "auth" { // the server closes the socket
				c.send(`{"type":"ping"}`)
			}
			require.Equal(t, row.responses[i], c.response(), "%s by %s", kind, role)
			c.conn.Close()
		}
	}
}

// response returns the type of the next frame or the kind of the error in it. Frames about
// others, such as their presence, may arrive at any time.
func (c *client) response() string {
	c.t.Helper()
	for {
		switch frame := c.next(); frame["type"] {
		case "error":
			return frame["kind"].(string)
		case "ack", "online_users", "conversation_joined", "auth_success", "pong":
			return frame["type"].(string)
		}
	}
}

// frameCallers returns the owner and a member in each of frameRoles.
func (w *env) frameCallers() (owner web.Actor, callers map[string]web.Actor) {
	w.Helper()
	owner, callers = w.member(), map[string]web.Actor{}
	for _, role := range frameRoles {
		callers[role] = w.member()
		if role == "stranger" || role == "moderator" || role == "admin" {
			continue
		}
		id := uuid.New()
		w.Exec(`INSERT INTO conversations (id, user_a, user_b, last_seq, last_sender, last_message_at)
			VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), 1, $2, now())`, id, owner.ID, callers[role].ID)
		w.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content) VALUES ($1, $1, 1, $2, $1, 'Hi')`, id, owner.ID)
		if role == "blocked" {
			w.Exec(`UPDATE conversations SET closed_at = now() WHERE id = $1`, id)
			w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, owner.ID, callers[role].ID)
		}
	}
	w.Exec(`UPDATE users SET profile_status = 'under_review' WHERE id = $1`, callers["under review"].ID)
	w.Exec(`UPDATE users SET is_moderator = true WHERE id = $1`, callers["moderator"].ID)
	w.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, callers["admin"].ID)
	return owner, callers
}
