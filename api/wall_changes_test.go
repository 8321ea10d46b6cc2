package api_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/moderation"
	"heartward/api/platform/bus"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/wiring"
)

// The devices that show the wall are told of each way in which a couple or a picture can leave it, also of those in
// which no member of the couple acts.
func TestWall_ChangesAreAnnounced(t *testing.T) {
	t.Parallel()
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	mails, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	for name, act := range map[string]func(db testkit.DB, s api.Services, ann web.Actor, admin uuid.UUID) error{
		"a ban": func(db testkit.DB, s api.Services, ann web.Actor, admin uuid.UUID) error {
			return s.Moderation.SetStatus(db.Context(), admin, ann.ID, moderation.StatusChange{Status: "suspended", Explanation: "Seen", Reason: "Seen"})
		},
		"a review": func(db testkit.DB, s api.Services, ann web.Actor, admin uuid.UUID) error {
			return s.Moderation.SetStatus(db.Context(), admin, ann.ID, moderation.StatusChange{Status: "under_review", Explanation: "Seen", Reason: "Seen"})
		},
		"an unmatch": func(db testkit.DB, s api.Services, ann web.Actor, _ uuid.UUID) error {
			return s.Matching.Unmatch(db.Context(), ann, testkit.SelectAll[uuid.UUID](db, db.Pool, `SELECT id FROM matches`)[0])
		},
		"a block": func(db testkit.DB, s api.Services, ann web.Actor, _ uuid.UUID) error {
			return s.Moderation.Block(db.Context(), ann, testkit.SelectAll[uuid.UUID](db, db.Pool, `SELECT user_two_id FROM graduated_couples`)[0])
		},
		"a request for deletion": func(db testkit.DB, s api.Services, ann web.Actor, _ uuid.UUID) error {
			_, err := s.Deletion.Request(db.Context(), ann)
			return err
		},
		"a picture that is deleted": func(db testkit.DB, s api.Services, ann web.Actor, _ uuid.UUID) error {
			return s.Members.DeleteMedia(db.Context(), ann.ID, testkit.SelectAll[uuid.UUID](db, db.Pool, `SELECT file_id FROM couple_pictures`)[0])
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events, err := bus.Open(bus.Options{})
			require.NoError(t, err)
			t.Cleanup(events.Close)
			db := pgtest.NewDB(t)
			s := wiring.New(wiring.Deps{Config: newConfig(t, "http://heartward.test"), Pool: db.Pool, Bus: events, Files: store, Mail: mails, Jobs: pgtest.Jobs(t, db.Pool)})
			ann, ben, admin := db.Member("Ann Doe"), db.Member("Ben Doe"), db.Admin("Mo Doe")
			ann.SessionID = uuid.New()
			db.Match(ann, ben)
			db.Exec(`INSERT INTO sessions (id, user_id, token_hash, expires_at) VALUES ($1, $2, decode(repeat('01', 32), 'hex'), now() + interval '1 day')`, ann.SessionID, ann.ID)
			couple, picture := uuid.New(), uuid.New()
			db.Exec(`INSERT INTO graduated_couples (id, user_one_id, user_two_id, status, accepted_at, approved_at) VALUES ($1, $2, $3, 'graduated', now(), now())`, couple, ann.ID, ben.ID)
			db.Exec(`INSERT INTO couple_members (user_id, couple_id, on_wall) SELECT unnest(ARRAY[$1, $2]::uuid[]), $3, true`, ann.ID, ben.ID, couple)
			db.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 4)`, picture, ann.ID)
			db.Exec(`INSERT INTO member_media (file_id, user_id, slot, position) VALUES ($1, $2, 'gallery_image', 1)`, picture, ann.ID)
			db.Exec(`INSERT INTO couple_pictures (couple_id, user_id, position, file_id, is_agreed) VALUES ($1, $2, 1, $3, true)`, couple, ann.ID, picture)
			wall, partner := make(chan struct{}, 100), make(chan struct{}, 100)
			defer events.Subscribe(bus.WallSubject, func([]byte) { wall <- struct{}{} })()
			defer events.Subscribe(bus.MemberSubject(ben.ID), func(data []byte) {
				if _, frame := bus.SplitEvent(data); string(frame) == `{"type":"graduation_changed"}` {
					partner <- struct{}{}
				}
			})()

			require.NoError(t, act(db, s, ann, admin.ID))
			testkit.Receive(t, wall, "the change of the wall")
			testkit.Receive(t, partner, "the change of the partner's couple")
		})
	}
}
