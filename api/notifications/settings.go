package notifications

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"
	_ "time/tzdata" // for machines without a time zone database

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/messaging/unread"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Category is a group of notifications that members turn on and off.
type Category string

// The categories.
const (
	Messages   Category = "messages"
	Matches    Category = "matches"
	Likes      Category = "likes"
	Community  Category = "community"
	Graduation Category = "graduation"
	Badges     Category = "badges"
	Digest     Category = "digest"
	Pulse      Category = "pulse"

	// Account is the category of what concerns the account itself. Members cannot turn it off.
	Account Category = ""
)

// Preferences are a member's settings of notifications and media. They apply to all of
// the member's devices.
type Preferences struct {
	Messages   bool `json:"messages"`
	Matches    bool `json:"matches"`
	Likes      bool `json:"likes"`
	Community  bool `json:"community"`
	Graduation bool `json:"graduation"`
	Badges     bool `json:"badges"`
	Digest     bool `json:"digest" doc:"A weekly summary by email"`
	Pulse      bool `json:"pulse" doc:"A daily reminder to write a Love Pulse; off by default"`

	PulseTime string `json:"pulseTime" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" example:"20:00" doc:"The time of the reminder in the time zone"`

	Sound        bool    `json:"sound" doc:"If off, notifications have neither sound nor vibration"`
	Vibration    bool    `json:"vibration"`
	QuietFrom    *string `json:"quietFrom" nullable:"true" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" example:"22:00" doc:"The beginning of the quiet hours; null together with quietTo for none"`
	QuietTo      *string `json:"quietTo" nullable:"true" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" example:"07:00" doc:"The end of the quiet hours, when events that are still unread are pushed"`
	PrivateMail  *bool   `json:"privateMail,omitempty" doc:"Mails have no names, and nothing that a person wrote. A request without it does not change it"`
	DiscreetMail *bool   `json:"discreetMail,omitempty" doc:"The sender's name, the subject and the preview of mails do not tell what they are about. A request without it does not change it"`
	TimeZone     string  `json:"timeZone" minLength:"1" maxLength:"64" example:"Europe/Vienna" doc:"The time zone of the quiet hours, of the reminder and of the times in mails, an IANA name"`

	AutoplayVoice             bool `json:"autoplayVoice"`
	AutoplayVideo             bool `json:"autoplayVideo"`
	DownloadForOffline        bool `json:"downloadForOffline"`
	HighQualityMedia          bool `json:"highQualityMedia"`
	VoiceMessageNotifications bool `json:"voiceMessageNotifications"`
	VideoMessageNotifications bool `json:"videoMessageNotifications"`
}

// Defaults returns the preferences of a member who has saved none.
func Defaults() Preferences {
	return Preferences{
		Messages: true, Matches: true, Likes: true, Community: true, Graduation: true, Badges: true, Digest: true,
		PulseTime: "20:00",
		Sound:     true, Vibration: true, PrivateMail: new(bool), DiscreetMail: new(bool), TimeZone: "UTC",
		AutoplayVoice: true, DownloadForOffline: true, HighQualityMedia: true,
		VoiceMessageNotifications: true, VideoMessageNotifications: true,
	}
}

// TransformSchema adds the defaults, which the app needs while it is offline.
func (Preferences) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Default = Defaults()
	return s
}

// Settings returns the actor's preferences.
func (s *Service) Settings(ctx context.Context, actor web.Actor) (Preferences, error) {
	settings, err := readSettings(ctx, s.pool, actor.ID)
	return settings, pg.Fault(err)
}

// SaveSettings replaces the actor's settings. If the quiet hours change, the
// actor's snoozed notification jobs are rescheduled to run now. It returns Invalid for an unknown time zone, and for quiet
// hours without a beginning, an end or a length.
func (s *Service) SaveSettings(ctx context.Context, actor web.Actor, settings Preferences) (Preferences, error) {
	zone, err := web.Zone(settings.TimeZone)
	if err != nil {
		return Preferences{}, fault.InvalidField("timeZone", "We don't know this time zone.")
	}
	switch from, to := settings.QuietFrom, settings.QuietTo; {
	case from == nil && to != nil:
		return Preferences{}, fault.InvalidField("quietFrom", "When do the quiet hours begin?")
	case from != nil && to == nil:
		return Preferences{}, fault.InvalidField("quietTo", "When do the quiet hours end?")
	case from != nil && *from == *to:
		return Preferences{}, fault.InvalidField("quietTo", "Quiet hours can't begin and end at the same time.")
	}
	next := settings.nextPulse(time.Now(), zone)
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (Preferences, error) {
		before, err := readSettings(ctx, tx, actor.ID)
		if err != nil {
			return before, err
		}
		saved, err := writeSettings(ctx, tx, actor.ID, settings, next)
		if err != nil || before.hasSameQuietHours(saved) {
			return saved, err
		}
		if err := wakeSnoozed(ctx, tx, actor.ID); err != nil {
			return saved, err
		}
		secondWake := &river.InsertOpts{ScheduledAt: time.Now().Add(secondWakeDelay)}
		_, err = s.jobs.InsertTx(ctx, tx, WakeArgs{MemberID: actor.ID}, secondWake)
		return saved, err
	})
}

func (s Preferences) mediaTypes() unread.MediaTypes {
	return unread.MediaTypes{Voices: s.VoiceMessageNotifications, Videos: s.VideoMessageNotifications}
}

// hasSameQuietHours reports whether both have the same quiet hours.
func (s Preferences) hasSameQuietHours(other Preferences) bool {
	same := func(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }
	return same(s.QuietFrom, other.QuietFrom) && same(s.QuietTo, other.QuietTo) && s.TimeZone == other.TimeZone
}

// wants reports whether the member wants notifications of a category.
func (s Preferences) wants(c Category) bool {
	switch c {
	case Account:
		return true
	case Messages:
		return s.Messages
	case Matches:
		return s.Matches
	case Likes:
		return s.Likes
	case Community:
		return s.Community
	case Graduation:
		return s.Graduation
	case Badges:
		return s.Badges
	case Digest:
		return s.Digest
	case Pulse:
		return s.Pulse
	}
	return false
}

// quietFor returns the time from now until the end of the member's quiet hours, or zero
// outside of them. It computes the end with the current offset of the time zone. If the
// offset changes before that end, it continues from the change.
func (s Preferences) quietFor(now time.Time) time.Duration {
	if s.QuietFrom == nil || s.QuietTo == nil {
		return 0
	}
	zone, err := web.Zone(s.TimeZone)
	if err != nil {
		return 0 // the zone is no longer in the list
	}
	from, to := minuteOfDay(*s.QuietFrom), minuteOfDay(*s.QuietTo)
	const day = 24 * 60
	for at := now.Truncate(time.Minute).In(zone); ; {
		minute := at.Hour()*60 + at.Minute()
		if (minute-from+day)%day >= (to-from+day)%day {
			return max(at.Sub(now), 0)
		}
		end := at.Add(time.Duration((to-minute+day)%day) * time.Minute)
		_, changes := at.ZoneBounds()
		if changes.IsZero() || !changes.Before(end) {
			return end.Sub(now)
		}
		at = changes
	}
}

// minuteOfDay returns the minutes since midnight of a time such as "22:00",
// whose format the API has validated.
func minuteOfDay(clock string) int {
	hour, _ := strconv.Atoi(clock[:2])
	minute, _ := strconv.Atoi(clock[3:])
	return hour*60 + minute
}

// decodePreferences decodes a stored document over the defaults, because it has only the settings that were saved.
func decodePreferences(document []byte) (Preferences, error) {
	s := Defaults()
	err := json.Unmarshal(document, &s)
	return s, err
}

func readSettings(ctx context.Context, db pg.DB, member uuid.UUID) (Preferences, error) {
	var document []byte
	err := db.QueryRow(ctx, `SELECT preferences FROM notification_settings WHERE user_id = $1`, member).Scan(&document)
	if errors.Is(err, pgx.ErrNoRows) {
		return Defaults(), nil
	}
	if err != nil {
		return Preferences{}, err
	}
	return decodePreferences(document)
}

// writeSettings stores the settings that s has with the time of the next reminder, nil for none, and returns all settings.
// It keeps the stored time if nothing about reminders changes, so that a save cannot skip one that is due. It merges s into
// the stored document, so that settings that s does not have keep what a concurrent call has stored.
func writeSettings(ctx context.Context, db pg.DB, member uuid.UUID, s Preferences, next *time.Time) (Preferences, error) {
	var document []byte
	err := db.QueryRow(ctx, `
		INSERT INTO notification_settings AS n (user_id, preferences, pulse_next_at)
		VALUES ($1, $2, $3)
		ON CONFLICT (user_id) DO UPDATE SET
			preferences = n.preferences || excluded.preferences,
			pulse_next_at = CASE
				WHEN (n.preferences -> 'pulse', n.preferences -> 'pulseTime', n.preferences -> 'timeZone')
					= (excluded.preferences -> 'pulse', excluded.preferences -> 'pulseTime', excluded.preferences -> 'timeZone')
				THEN n.pulse_next_at
				ELSE excluded.pulse_next_at
			END,
			updated_at = now()
		RETURNING preferences`, member, s, next).Scan(&document)
	if err != nil {
		return Preferences{}, err
	}
	return decodePreferences(document)
}
