package profilereview

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// birthDatesPerMember limits how often a member asks, because each request costs a moderator's time.
var birthDatesPerMember = limits.Rule{Name: "birth-dates", Count: 3, Per: 30 * 24 * time.Hour,
	Message: "You can ask us to correct your birthday three times a month. Please try again later."}

// maxExplanation is the maximum number of characters of a member's explanation.
const maxExplanation = 500

// BirthDateStatus is the state of a member's own request for another birth date.
type BirthDateStatus struct {
	Status      string     `json:"status" enum:"none,pending,approved,refused"`
	BirthDate   *string    `json:"birthDate" nullable:"true" format:"date" doc:"The date that the member asked for"`
	Answer      string     `json:"answer" doc:"Why it was refused; empty otherwise"`
	RequestedAt *time.Time `json:"requestedAt" nullable:"true"`
}

// OpenedBirthDate is a request with what a moderator needs to decide.
type OpenedBirthDate struct {
	ID          uuid.UUID        `json:"id"`
	User        members.UserCard `json:"user" doc:"Name, age and town"`
	Current     string           `json:"current" format:"date"`
	IsExact     bool             `json:"isExact" doc:"Whether the member stated the current date; otherwise it was computed from an age"`
	Requested   string           `json:"requested" format:"date"`
	CurrentAge  int              `json:"currentAge"`
	NewAge      int              `json:"newAge"`
	Explanation string           `json:"explanation" doc:"Why, in the member's words"`
	JoinedAt    time.Time        `json:"joinedAt" doc:"When the account was created"`
	RequestedAt time.Time        `json:"requestedAt"`
}

// BirthDate returns the state of the member's own request.
func (s *Service) BirthDate(ctx context.Context, member uuid.UUID) (BirthDateStatus, error) {
	status := BirthDateStatus{Status: "none"}
	var day, at time.Time
	err := s.pool.QueryRow(ctx, `
		SELECT status, birth_date, answer, requested_at
		FROM birth_date_requests
		WHERE user_id = $1`, member).Scan(&status.Status, &day, &status.Answer, &at)
	if errors.Is(err, pgx.ErrNoRows) {
		return status, nil
	}
	status.BirthDate, status.RequestedAt = new(day.Format(time.DateOnly)), new(web.Time(at))
	return status, pg.Fault(err)
}

// AskForBirthDate asks a moderator for another birth date than the member may enter. It replaces an
// earlier request of the member.
//
// Errors: Invalid with the field birthDate for the date of a minor and for the current one, and with explanation without one;
// RateLimited for the fourth request in 30 days.
func (s *Service) AskForBirthDate(ctx context.Context, member uuid.UUID, date, explanation string) (BirthDateStatus, error) {
	explanation, err := text.Lines("explanation", explanation, maxExplanation)
	if err != nil {
		return BirthDateStatus{}, err
	}
	if explanation == "" {
		return BirthDateStatus{}, fault.InvalidField("explanation", "Please tell us why.")
	}
	day, err := members.CheckBirthDate(date)
	if err != nil {
		return BirthDateStatus{}, err
	}
	err = pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := members.Lock(ctx, tx, member); err != nil {
			return err
		}
		current, err := members.BirthOf(ctx, tx, member)
		if err != nil {
			return err
		}
		if current.IsExact && current.Day.Equal(day) {
			return fault.InvalidField("birthDate", "This is your birthday already.")
		}
		if err := limits.Allow(ctx, tx, birthDatesPerMember, member.String()); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM birth_date_requests WHERE user_id = $1`, member); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			INSERT INTO birth_date_requests (id, user_id, birth_date, explanation)
			VALUES ($1, $2, $3, $4)`, uuid.New(), member, day, explanation)
		return err
	})
	if err != nil {
		return BirthDateStatus{}, err
	}
	return s.BirthDate(ctx, member)
}

// birthRequest is a locked row of birth_date_requests.
type birthRequest struct {
	ID          uuid.UUID
	Member      uuid.UUID
	Day         time.Time
	Explanation string
	Status      string
	Answer      string
	OpenedBy    *uuid.UUID // the moderator who opened it last, within the last hour
	DecidedBy   *uuid.UUID
	RequestedAt time.Time
}

// lockBirthDate locks the member of a request and then the request. It returns NotFound for an unknown
// one, also if the member has asked again since.
func lockBirthDate(ctx context.Context, tx pgx.Tx, id uuid.UUID) (birthRequest, error) {
	var member uuid.UUID
	err := tx.QueryRow(ctx, `SELECT user_id FROM birth_date_requests WHERE id = $1`, id).Scan(&member)
	if errors.Is(err, pgx.ErrNoRows) {
		return birthRequest{}, notFound()
	}
	if err != nil {
		return birthRequest{}, err
	}
	if err := members.Lock(ctx, tx, member); err != nil {
		return birthRequest{}, err
	}
	rows, _ := tx.Query(ctx, `
		SELECT
			id,
			user_id AS member,
			birth_date AS day,
			explanation,
			status,
			answer,
			CASE WHEN opened_at > now() - interval '1 hour' THEN opened_by END AS opened_by,
			decided_by,
			requested_at
		FROM birth_date_requests
		WHERE id = $1
		FOR UPDATE`, id)
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[birthRequest])
	if errors.Is(err, pgx.ErrNoRows) {
		return r, notFound()
	}
	return r, err
}

// OpenBirthDate returns a request that waits, and records the access with its reason in the audit log.
// It returns NotFound for an unknown or decided request and for the moderator's own, Conflict while
// another moderator has it open, and Invalid without a reason.
func (s *Service) OpenBirthDate(ctx context.Context, moderator, id uuid.UUID, reason string) (OpenedBirthDate, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (opened OpenedBirthDate, err error) {
		r, err := lockBirthDate(ctx, tx, id)
		if err == nil && (r.Status != "pending" || r.Member == moderator) {
			err = notFound()
		}
		if err != nil {
			return opened, err
		}
		if err := queue.Open(ctx, tx, moderator, queue.BirthDate, id); err != nil {
			return opened, err
		}
		if _, err := tx.Exec(ctx, `UPDATE birth_date_requests SET opened_by = $2, opened_at = clock_timestamp() WHERE id = $1`, id, moderator); err != nil {
			return opened, err
		}
		birth, err := members.BirthOf(ctx, tx, r.Member)
		if err != nil {
			return opened, err
		}
		cards, err := members.QueueCards(ctx, tx, []uuid.UUID{r.Member})
		if err != nil {
			return opened, err
		}
		now := time.Now()
		opened = OpenedBirthDate{
			ID: id, User: cards[r.Member], Current: birth.Day.Format(time.DateOnly), IsExact: birth.IsExact, Requested: r.Day.Format(time.DateOnly),
			CurrentAge: members.AgeOn(birth.Day, now), NewAge: members.AgeOn(r.Day, now), Explanation: r.Explanation,
			JoinedAt: web.Time(birth.JoinedAt), RequestedAt: web.Time(r.RequestedAt),
		}
		return opened, moderation.Audit(ctx, tx, moderator, "birth_date.open", r.Member, reason, map[string]any{"request": id})
	})
}

// DecideBirthDate approves or refuses a request. An approved one sets the date and ends the verification.
// The member gets a mail, with the reason if it is refused. Repeating a decision changes nothing.
//
// Errors: NotFound for an unknown request; Conflict with the code open_first unless the moderator opened it last, within
// the last hour, and when it was decided differently; Forbidden for the moderator's own; Invalid without a reason, and if the
// date is that of a minor.
func (s *Service) DecideBirthDate(ctx context.Context, moderator, id uuid.UUID, approve bool, reason string) error {
	reason, err := moderation.CleanReason(reason)
	if err != nil {
		return err
	}
	status, answer := "refused", reason // told to the member
	if approve {
		status, answer = "approved", ""
	}
	decided, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (uuid.UUID, error) {
		r, err := lockBirthDate(ctx, tx, id)
		switch {
		case err != nil:
			return uuid.Nil, err
		case r.Status == status && r.Answer == answer:
			return uuid.Nil, nil
		}
		entry := queue.Decidable{Member: r.Member, Status: r.Status, DecidedBy: r.DecidedBy}
		if err := checkDecidable(ctx, tx, moderator, entry, r.OpenedBy, "Another moderator has to decide on your own birthday."); err != nil {
			return uuid.Nil, err
		}
		if approve {
			if err := members.CorrectBirthDate(ctx, tx, r.Member, r.Day.Format(time.DateOnly)); err != nil {
				return uuid.Nil, err
			}
		}
		return r.Member, s.storeBirthDecision(ctx, tx, r, moderator, status, answer, reason)
	})
	if err == nil && decided != uuid.Nil {
		s.notifyDecided(ctx, decided)
	}
	return err
}

func (s *Service) storeBirthDecision(ctx context.Context, tx pgx.Tx, r birthRequest, moderator uuid.UUID, status, answer, reason string) error {
	_, err := tx.Exec(ctx, `
		UPDATE birth_date_requests
		SET
			status = $2,
			decided_at = now(),
			decided_by = $3,
			answer = $4
		WHERE id = $1`, r.ID, status, moderator, answer)
	if err != nil {
		return err
	}
	if err := queue.Close(ctx, tx, queue.BirthDate, r.ID); err != nil {
		return err
	}
	if _, err := s.jobs.InsertTx(ctx, tx, BirthDateArgs{RequestID: r.ID}, nil); err != nil {
		return err
	}
	return moderation.Audit(ctx, tx, moderator, "birth_date."+status, r.Member, reason, map[string]any{"request": r.ID})
}

// SendBirthDate sends the mail of a decision. It does nothing for a deleted member, and when the member
// has asked again since. It may send the same mail twice.
func SendBirthDate(ctx context.Context, db pg.DB, sender mail.Sender, args BirthDateArgs) error {
	var member uuid.UUID
	var status, answer string
	err := db.QueryRow(ctx, `
		SELECT user_id, status, answer
		FROM birth_date_requests
		WHERE id = $1
			AND status <> 'pending'`, args.RequestID).Scan(&member, &status, &answer)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	return members.SendMail(ctx, db, sender, member, func(mail.Reader) mail.Letter {
		return birthDateLetter("birth-date-"+args.RequestID.String(), status, answer)
	})
}

// birthDateLetter returns the letter about a decision on a birth date.
func birthDateLetter(id, status, answer string) mail.Letter {
	l := mail.Letter{Template: "profilereview.birth_date", Kind: mail.Account, ID: id, Subject: "Your birthday is corrected"}
	if status != "refused" {
		l.Blocks = []mail.Block{mail.Text("We have looked at your request, and your birthday is corrected.")}
		return l
	}
	l.Subject = "About your birthday"
	l.Blocks = []mail.Block{
		mail.Personal("We have looked at your request, and your birthday stays as it is:", "We have looked at your request, and your birthday stays as it is."),
		mail.Quote(answer, "You'll find the reason on your profile page."),
	}
	return l
}
