package jobs_test

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/activity"
	"heartward/api/community"
	"heartward/api/dates"
	"heartward/api/discovery"
	"heartward/api/graduation"
	"heartward/api/matching"
	"heartward/api/messaging/messages"
	"heartward/api/moderation"
	"heartward/api/moments"
	"heartward/api/platform/testkit"
)

// ownActs are the kinds of what a member did, which only the activity has.
var ownActs = []activity.Kind{
	activity.Liked, activity.SuperLiked, activity.DatePlanned, activity.PhotoAdded, activity.BannerAdded, activity.VoiceAdded,
	activity.VideoAdded, activity.Verified,
}

// causes prepare an event that adds a notification of the kind, and return the event.
var causes = map[activity.Kind]func(w *bell) func() error{
	activity.Matched: func(w *bell) func() error {
		w.Exec(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) VALUES (gen_random_uuid(), $1, $2, 'like')`, w.ann.ID, w.ben.ID)
		return func() error { return w.like(w.ben, w.ann, matching.Like) }
	},
	activity.Likes: func(w *bell) func() error {
		return func() error { return w.like(w.ben, w.ann, matching.Like) }
	},
	activity.SuperLikeReceived: func(w *bell) func() error {
		return func() error { return w.like(w.ben, w.ann, matching.SuperLike) }
	},
	activity.RequestReceived: func(w *bell) func() error {
		return func() error {
			_, err := w.Messaging.Requests.Send(w.Context(), w.ben, messages.Outgoing{RecipientID: w.ann.ID, ClientID: uuid.Must(uuid.NewV7()), Content: "Hello"})
			return err
		}
	},
	activity.CommentReceived: func(w *bell) func() error {
		post := w.post(w.ann, "published")
		return func() error {
			_, err := w.Community.Comment(w.Context(), w.ben.ID, post, community.CommentInput{ClientID: uuid.New(), Content: "Hi"})
			return err
		}
	},
	activity.ReplyReceived: func(w *bell) func() error {
		post := w.post(w.admin, "published")
		comment := w.id(`INSERT INTO post_comments (id, post_id, author_id, client_id, content) VALUES ($1, $2, $3, $1, 'Hi')`, post, w.ann.ID)
		return func() error {
			_, err := w.Community.Comment(w.Context(), w.ben.ID, post, community.CommentInput{ClientID: uuid.New(), Content: "Hi", Parent: comment})
			return err
		}
	},
	activity.PostPublished: func(w *bell) func() error { return w.decidePost("approve") },
	activity.PostRejected:  func(w *bell) func() error { return w.decidePost("reject") },
	activity.BadgeEarned: func(w *bell) func() error {
		w.Match(w.ann, w.ben)
		return func() error {
			_, err := w.Badges.Check(w.Context(), w.ann.ID, w.ann.ID)
			return err
		}
	},
	activity.FriendJoined: func(w *bell) func() error {
		w.Exec(`UPDATE users SET referral_code = 'CODEOFANN123' WHERE id = $1`, w.ann.ID)
		return func() error {
			return w.inTx(func(ctx context.Context, tx pgx.Tx) error { return w.Referrals.Join(ctx, tx, w.ben.ID, "CODEOFANN123") })
		}
	},
	activity.FriendCompleted: func(w *bell) func() error {
		w.Exec(`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, joined_at) VALUES (gen_random_uuid(), $1, $2, 'ABCDEF', now() - interval '91 days')`, w.ann.ID, w.ben.ID)
		w.Exec(`UPDATE users SET bio = 'Hi', love_reflection = 'Home', intention_tags = '{Healing}', city = 'Portland',
			occupation = 'Cook', education = 'masters', has_children = false, wants_children = true WHERE id = $1`, w.ben.ID)
		return func() error {
			return w.inTx(func(ctx context.Context, tx pgx.Tx) error { return w.Referrals.Complete(ctx, tx, w.ben.ID) })
		}
	},
	activity.TogetherInvited: func(w *bell) func() error {
		w.couple(w.ann, w.ben, "graduated")
		return func() error {
			_, err := w.Pulse.Share(w.Context(), w.ben.ID, true)
			return err
		}
	},
	activity.ConsentAsked: func(w *bell) func() error {
		w.Match(w.ann, w.ben)
		match := testkit.Select[uuid.UUID](w, w.Pool, `SELECT match_id FROM match_sides WHERE member_id = $1`, w.ben.ID)
		moment, _, err := w.Moments.Create(w.Context(), w.ben.ID, moments.Match, match)
		require.NoError(w, err)
		return func() error {
			_, err := w.Moments.Ask(w.Context(), w.ben.ID, moment.ID)
			return err
		}
	},
	activity.DateProposed: func(w *bell) func() error {
		conversation := w.Match(w.ann, w.ben)
		return func() error {
			plan := dates.Plan{Place: "Café", At: time.Now().Add(48 * time.Hour), TimeZone: "UTC"}
			_, err := w.Dates.Propose(w.Context(), w.ben, conversation, uuid.Must(uuid.NewV7()), plan)
			return err
		}
	},
	activity.DateAccepted: func(w *bell) func() error {
		id := w.date("proposed")
		w.Exec(`UPDATE dates SET at = now() + interval '2 days' WHERE id = $1`, id)
		return func() error {
			_, err := w.Dates.Accept(w.Context(), w.ben, id, 1)
			return err
		}
	},
	activity.DateDeclined: func(w *bell) func() error {
		id := w.date("proposed")
		return func() error {
			_, err := w.Dates.Decline(w.Context(), w.ben, id, 1)
			return err
		}
	},
	activity.DateCancelled: func(w *bell) func() error {
		id := w.date("accepted")
		return func() error {
			_, err := w.Dates.Cancel(w.Context(), w.ben, id, 1)
			return err
		}
	},
	activity.DateSoon: func(w *bell) func() error {
		id := w.date("accepted")
		return func() error { return w.insert(dates.ReminderArgs{DateID: id, Revision: 1}) }
	},
	activity.GraduationAsked: func(w *bell) func() error {
		w.Match(w.ann, w.ben)
		return func() error {
			_, err := w.Graduation.Ask(w.Context(), w.ben.ID, graduation.Ask{Partner: w.ann.ID})
			return err
		}
	},
	activity.GraduationAccepted: func(w *bell) func() error {
		id := w.couple(w.ann, w.ben, "asked")
		return func() error {
			_, err := w.Graduation.Accept(w.Context(), w.ben.ID, id, graduation.Acceptance{})
			return err
		}
	},
	activity.GraduationDeclined: func(w *bell) func() error {
		id := w.couple(w.ann, w.ben, "asked")
		return func() error {
			_, err := w.Graduation.Decline(w.Context(), w.ben.ID, id)
			return err
		}
	},
	activity.GraduationRejected: func(w *bell) func() error {
		id := w.couple(w.ann, w.ben, "pending")
		return func() error { return w.Graduation.Reject(w.Context(), w.admin.ID, id, "R") }
	},
	activity.Graduated: func(w *bell) func() error {
		id := w.couple(w.ann, w.ben, "pending")
		return func() error { return w.Graduation.Approve(w.Context(), w.admin.ID, id, "R") }
	},
	activity.VerificationApproved: func(w *bell) func() error { return w.decideSelfie(true) },
	activity.VerificationRejected: func(w *bell) func() error { return w.decideSelfie(false) },
	activity.ProfileAccepted:      func(w *bell) func() error { return w.decideReview("profile", true) },
	activity.ProfileDeclined:      func(w *bell) func() error { return w.decideReview("profile", false) },
	activity.PhotoAccepted:        func(w *bell) func() error { return w.decideReview("photo", true) },
	activity.PhotoDeclined:        func(w *bell) func() error { return w.decideReview("photo", false) },
	activity.ReportDecided: func(w *bell) func() error {
		id := w.id(`INSERT INTO reports (id, reporter_id, reported_user_id, reason, place, priority) VALUES ($1, $2, $3, 'spam', 'card', 2)`, w.ann.ID, w.ben.ID)
		return func() error {
			return w.Moderation.DecideReport(w.Context(), w.admin.ID, id, moderation.Decision{Action: moderation.NoAction, Reason: "R"})
		}
	},
	activity.Warned: func(w *bell) func() error {
		return func() error { return w.Moderation.Warn(w.Context(), w.admin.ID, w.ann.ID, uuid.New(), "E", "", "R") }
	},
	activity.PartsRemoved:       func(w *bell) func() error { return w.removeParts(moderation.Decision{Action: moderation.Remove}) },
	activity.WarnedPartsRemoved: func(w *bell) func() error { return w.removeParts(moderation.Decision{Action: moderation.Warn}) },
	activity.SuspendedPartsRemoved: func(w *bell) func() error {
		return w.removeParts(moderation.Decision{Action: moderation.Suspend, SuspendedUntil: new(time.Now().Add(time.Hour))})
	},
	activity.Suspended:    func(w *bell) func() error { return w.setStatus("active", "suspended") },
	activity.Reviewed:     func(w *bell) func() error { return w.setStatus("active", "under_review") },
	activity.Reinstated:   func(w *bell) func() error { return w.setStatus("suspended", "active") },
	activity.AppealUpheld: func(w *bell) func() error { return w.decideAppeal(moderation.Upheld) },
	activity.AppealLifted: func(w *bell) func() error { return w.decideAppeal(moderation.Lifted) },
	activity.NewSignIn:    func(w *bell) func() error { return w.notice("sign_in") },
	activity.PasswordSet:  func(w *bell) func() error { return w.notice("password") },
	activity.PasskeyAdded: func(w *bell) func() error { return w.notice("passkey") },
	activity.EmailChange:  func(w *bell) func() error { return w.notice("email_change") },
	activity.MoreNear: func(w *bell) func() error {
		w.Exec(`UPDATE users SET city = 'Portland', state = 'Oregon', town_lat = 45.5, town_lon = -122.7 WHERE id = $1`, w.ann.ID)
		w.Exec(`INSERT INTO near_waits (user_id, town_lat, town_lon, baseline, by_mail, checked_on) VALUES ($1, 45.5, -122.7, 3, false, '2020-01-01')`, w.ann.ID)
		w.Exec(`INSERT INTO near_snapshots (taken_on, lats, lons, members) VALUES ((now() AT TIME ZONE 'UTC')::date, '{45.5}', '{-122.7}', '{23}')
			ON CONFLICT (taken_on) DO UPDATE SET lats = excluded.lats, lons = excluded.lons, members = excluded.members`)
		return func() error { return discovery.CheckWaits(w.Context(), w.Pool, w.client, time.Now()) }
	},
}
