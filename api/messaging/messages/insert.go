package messages

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/riverqueue/river"

	"heartward/api/media"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Outgoing is a message that is to be stored. The caller sets the exported fields.
type Outgoing struct {
	RecipientID uuid.UUID
	ClientID    uuid.UUID // unique for the sender in the conversation; a retry has the same
	MessageType string    // empty for text
	Content     string
	ReplyTo     *int64      // the seq of the message to which this one replies
	FileIDs     []uuid.UUID // of pictures, or of one recording
	Socket      string      // the sender's socket, which does not receive the event; may be empty

	DateID         *uuid.UUID // of a message of type date; PostTx only
	ModerationText string     // what the guard classifies, if not Content; PostTx only

	id, senderID uuid.UUID
	flag         string // the category that the guard found, or empty
}

// Stored is an inserted message from the recipient's side, with the data for Publish.
type Stored struct {
	Message
	recipientID uuid.UUID
	socket      string
	sparks      []string // caused by the message
	hasDevices  bool     // whether the recipient had a device for push
	isMilestone bool     // whether it starts the conversation, is the first reply, or the first after a day
}

// Prepare returns the message for InsertTx: with an id, its sender and the category of the guard.
// It checks nothing: a caller with a text of a member calls CheckOutgoing first.
func (s *Service) Prepare(sender uuid.UUID, m Outgoing) (*Outgoing, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	m.id, m.senderID = id, sender
	text := m.Content
	if m.ModerationText != "" {
		text = m.ModerationText
	}
	if text != "" {
		m.flag = s.guard(text)
	}
	if m.MessageType == "" {
		m.MessageType = "text"
	}
	return &m, nil
}

// errNotInserted rolls back a transaction that inserted no message.
var errNotInserted = errors.New("messages: the message was not inserted")

// InsertTx inserts a prepared message with its files and jobs, and waits for the lock of its
// conversation, which may be a request if isRequest is true. The caller passes the result to
// Publish after the commit. It returns errNotInserted if insertOneSQL skipped the message, and an error of the database for
// which tx can only be rolled back, such as the one of a client id that is stored already.
func (s *Service) InsertTx(ctx context.Context, tx pgx.Tx, m *Outgoing, isRequest bool) (*Stored, error) {
	inserted, err := queryInserted(ctx, tx, insertOneSQL, append(insertOneArgs(m), isRequest), []*Outgoing{m})
	if err != nil {
		return nil, err
	}
	stored := inserted[0]
	if stored == nil {
		return nil, errNotInserted
	}
	if len(m.FileIDs) > 0 {
		stored.Attachments, err = media.AttachTx(ctx, tx, m.senderID, m.FileIDs, m.MessageType, stored.ConversationID, stored.Seq)
		if err != nil {
			return nil, err
		}
	}
	return stored, s.insertJobs(ctx, tx, inserted)
}

// insertBatch inserts messages of different conversations, and returns one element for
// each, nil if insertBatchSQL skipped the message. In the group without jobs it skips
// messages that need a job.
func (s *Service) insertBatch(ctx context.Context, db pg.DB, messages []*Outgoing, group int) ([]*Stored, error) {
	skipsNotified := group == withoutJobs // messages whose recipient has a device for push
	skipsMilestones := skipsNotified && s.onMilestone != nil
	switch {
	case len(messages) > 1:
		return queryInserted(ctx, db, insertBatchSQL, append(insertArgs(messages), skipsNotified, skipsMilestones), messages)
	case skipsNotified:
		return queryInserted(ctx, db, insertOneWithoutJobsSQL, append(insertOneArgs(messages[0]), skipsMilestones), messages)
	default:
		return queryInserted(ctx, db, insertOneOfBatchSQL, insertOneArgs(messages[0]), messages)
	}
}

// queryInserted runs one of the statements that insert messages.
func queryInserted(ctx context.Context, db pg.DB, sql string, args []any, messages []*Outgoing) ([]*Stored, error) {
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	inserted := make([]*Stored, len(messages))
	err = pg.EachRow(rows, func(row *insertedRow) {
		inserted[row.N-1] = messages[row.N-1].stored(row)
	})
	if err != nil {
		return nil, err
	}
	return inserted, nil
}

// insertedRow is the result of a statement for one message.
type insertedRow struct {
	N                     int64       // the position of the message in the arguments, from 1
	ConversationID        pgtype.UUID // which pgx decodes without a conversion to text
	Seq                   int64
	SentAt                time.Time
	HasDevices            bool
	CausedMessageSpark    bool
	CausedVoiceConnection bool
	IsMilestone           bool
}

// stored returns m with the columns that the insertion has set.
func (m *Outgoing) stored(row *insertedRow) *Stored {
	stored := &Stored{
		recipientID: m.RecipientID, socket: m.Socket, hasDevices: row.HasDevices, isMilestone: row.IsMilestone,
		Message: Message{
			ID: m.id, ClientID: m.ClientID, ConversationID: row.ConversationID.Bytes, Seq: row.Seq, SenderID: m.senderID,
			Content: m.Content, MessageType: m.MessageType, SentAt: web.Time(row.SentAt),
			Attachments: []media.Attachment{}, ReplyTo: m.ReplyTo, DateID: m.DateID,
		},
	}
	if m.flag != "" {
		stored.Flag = &m.flag
	}
	stored.sparks = sparksOf(row.CausedMessageSpark, row.CausedVoiceConnection)
	return stored
}

// insertJobs enqueues the jobs of inserted messages, whose elements may be nil: a job that
// notifies a recipient with a device, and one for the external moderation if it is
// configured. It calls the function of WatchMilestones.
func (s *Service) insertJobs(ctx context.Context, tx pgx.Tx, inserted []*Stored) error {
	var jobs []river.InsertManyParams
	for _, m := range inserted {
		if m == nil {
			continue
		}
		if m.hasDevices {
			jobs = append(jobs, river.InsertManyParams{Args: NotifyArgs{ConversationID: m.ConversationID, RecipientID: m.recipientID}})
		}
		if m.isMilestone && s.onMilestone != nil {
			if err := s.onMilestone(ctx, tx, m.SenderID, m.recipientID); err != nil {
				return err
			}
		}
		if s.isReviewed(m) {
			jobs = append(jobs, river.InsertManyParams{Args: ReviewArgs{m.ID}})
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	_, err := s.jobs.InsertManyTx(ctx, tx, jobs)
	return err
}

// insertArgs returns the arguments $1 to $9 of insertBatchSQL. It uses pgtype types, which
// pgx encodes without a conversion to text.
func insertArgs(messages []*Outgoing) []any {
	n := len(messages)
	senders, recipients := make(pgtype.FlatArray[pgtype.UUID], n), make(pgtype.FlatArray[pgtype.UUID], n)
	clientIDs, ids := make(pgtype.FlatArray[pgtype.UUID], n), make(pgtype.FlatArray[pgtype.UUID], n)
	types, contents := make(pgtype.FlatArray[string], n), make(pgtype.FlatArray[string], n)
	replies, dates := make(pgtype.FlatArray[pgtype.Int8], n), make(pgtype.FlatArray[pgtype.UUID], n)
	flags := make(pgtype.FlatArray[pgtype.Text], n)
	for i, m := range messages {
		senders[i], recipients[i] = toUUID(m.senderID), toUUID(m.RecipientID)
		clientIDs[i], ids[i] = toUUID(m.ClientID), toUUID(m.id)
		types[i], contents[i] = m.MessageType, m.Content
		replies[i], dates[i], flags[i] = m.nullableColumns()
	}
	return []any{senders, recipients, clientIDs, ids, types, contents, replies, dates, flags}
}

// insertOneArgs returns the arguments $1 to $9 of the statements for one message.
func insertOneArgs(m *Outgoing) []any {
	reply, date, flag := m.nullableColumns()
	return []any{toUUID(m.senderID), toUUID(m.RecipientID), toUUID(m.ClientID), toUUID(m.id), m.MessageType, m.Content, reply, date, flag}
}

func (m *Outgoing) nullableColumns() (reply pgtype.Int8, date pgtype.UUID, flag pgtype.Text) {
	if m.ReplyTo != nil {
		reply = pgtype.Int8{Int64: *m.ReplyTo, Valid: true}
	}
	if m.DateID != nil {
		date = toUUID(*m.DateID)
	}
	return reply, date, pgtype.Text{String: m.flag, Valid: m.flag != ""}
}

func toUUID(id uuid.UUID) pgtype.UUID { return pgtype.UUID{Bytes: id, Valid: true} }
