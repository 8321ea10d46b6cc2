package notifications

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging/messages"
	"heartward/api/messaging/unread"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
)

const (
	// maxBurst limits how long a push waits for the last of a burst of messages.
	maxBurst = 15 * time.Second
	// messageLifetime is how long a push about a message or a match is kept for a device that is offline.
	messageLifetime = 3 * 24 * time.Hour
)

// UnreadMessages are the messages of a conversation up to Seq that the member has
// not read.
type UnreadMessages struct {
	ConversationID uuid.UUID `json:"conversationId"`
	Seq            int64     `json:"seq"`
}

func (UnreadMessages) eventType() string { return "messages" }

// NotifyMessages decides, in tx and under the conversation's lock, whether to notify the
// recipient of unread messages, and enqueues a push for each device. since is the time at
// which the first of the new messages enqueued the job.
//
// It returns how long to wait before the next call, or zero if the job is done. The job
// must then be completed in tx, so that every later message enqueues a new job. A repeated
// call has no effect.
//
// In quiet hours it returns the time until their end. Messages stored meanwhile use the
// same job, so that there is one push for each conversation after the quiet hours, and
// none for messages that were read.
func (s *Service) NotifyMessages(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args messages.NotifyArgs, since time.Time) (time.Duration, error) {
	settings, err := readSettings(ctx, tx, args.RecipientID)
	if err != nil || !settings.Messages {
		return 0, err
	}
	newest, err := unread.LockNewest(ctx, tx, args.ConversationID, args.RecipientID, settings.mediaTypes())
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil // read, notified, deleted, muted or closed
	}
	if err != nil {
		return 0, err
	}
	if newest.Online && (newest.Request || newest.DeliveredSeq >= newest.Seq) {
		return 0, nil // a connected device has received it; requests have no receipts
	}
	if wait := settings.quietFor(newest.Now); wait > 0 {
		return wait, nil
	}
	if age := newest.Now.Sub(newest.SentAt); age < messages.NotifyDelay-time.Second && newest.Now.Sub(since) < maxBurst {
		return messages.NotifyDelay - age, nil
	}
	if err := unread.MarkNotified(ctx, tx, args.ConversationID, args.RecipientID, newest.Seq); err != nil {
		return 0, err
	}
	devices, err := devicesFor(ctx, tx, args.RecipientID, Messages)
	if err != nil {
		return 0, err
	}
	return 0, enqueue(ctx, tx, jobs, devices, args.RecipientID, UnreadMessages{args.ConversationID, newest.Seq})
}

// load also returns pgx.ErrNoRows if a later push includes these messages.
func (e UnreadMessages) load(ctx context.Context, db pg.DB, member uuid.UUID, settings Preferences) (Notification, error) {
	unread, err := unread.Summarize(ctx, db, e.ConversationID, member, e.Seq, settings.mediaTypes())
	return unreadSummary(unread).notification(e), err
}

// unreadSummary renders the unread messages of a conversation.
type unreadSummary unread.Summary

const bodyWithoutText = "Sent you a message"

func (s unreadSummary) notification(e UnreadMessages) Notification {
	n := Notification{
		Category: Messages, Title: s.title(), Body: s.body(), shortBody: bodyWithoutText,
		Path: "/messages/" + s.PeerID.String(), Tag: "conversation-" + e.ConversationID.String(),
		Expires:      s.SentAt.Add(messageLifetime),
		conversation: &conversation{ID: e.ConversationID, PeerID: s.PeerID, Seq: e.Seq},
	}
	if s.Request { // without actions, because it must be accepted first
		n.conversation = nil
		n.Title, n.Body = "New message request", truncate(s.From, maxText-20)+" would like to chat"
	}
	return n
}

func (s unreadSummary) title() string {
	name := truncate(s.From, maxText)
	if s.Count > 1 {
		return fmt.Sprintf("%d new messages from %s", s.Count, name)
	}
	return name
}

func (s unreadSummary) body() string {
	text := truncate(strings.Join(strings.Fields(s.Content), " "), maxText)
	switch {
	case s.Flagged: // the text must not be shown on a lock screen
		return bodyWithoutText
	case s.Type == "audio":
		return "Voice message" + s.duration()
	case s.Type == "video":
		return "Video message" + s.duration()
	case s.Type == "image" && s.Files > 1:
		return fmt.Sprintf("%d photos", s.Files)
	case s.Type == "image":
		return "Photo"
	case text == "":
		return bodyWithoutText
	}
	return text
}

// duration returns the length of a recording as players show it: ", 0:12".
func (s unreadSummary) duration() string {
	if s.DurationMs <= 0 {
		return ""
	}
	d := time.Duration(s.DurationMs) * time.Millisecond
	seconds := int(max(d.Round(time.Second)/time.Second, 1))
	return fmt.Sprintf(", %d:%02d", seconds/60, seconds%60)
}
