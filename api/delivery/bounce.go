package delivery

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"regexp"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// tokenEncoding has no upper case, because mail servers may change it.
var tokenEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

const macLength = 8 // bytes of the signature in a token

var tokenPattern = regexp.MustCompile(`(?i)\+([a-z2-7]{39})@`)

// returnPath returns the address to which reports about a mail go: the configured one with a signed token of the mail
// (VERP). It is empty if none is configured.
func (s *Service) returnPath(id uuid.UUID) string {
	local, domain, ok := strings.Cut(s.config.Bounces, "@")
	if !ok {
		return ""
	}
	return local + "+" + s.token(id) + "@" + domain
}

func (s *Service) token(id uuid.UUID) string {
	mac := hmac.New(sha256.New, s.config.Secret)
	mac.Write([]byte("return path\x00"))
	mac.Write(id[:])
	return tokenEncoding.EncodeToString(append(id[:], mac.Sum(nil)[:macLength]...))
}

// findToken returns the mail whose return path is in raw. A report has it in its own headers, and in those of the returned mail.
func (s *Service) findToken(raw []byte) (id uuid.UUID, found bool) {
	for _, match := range tokenPattern.FindAllSubmatch(raw, -1) {
		token := strings.ToLower(string(match[1]))
		decoded, err := tokenEncoding.DecodeString(token)
		if err != nil {
			continue
		}
		if id, err = uuid.FromBytes(decoded[:16]); err == nil && hmac.Equal([]byte(token), []byte(s.token(id))) {
			return id, true
		}
	}
	return uuid.Nil, false
}

// Result is what HandleReport did.
type Result string

// The results of HandleReport.
const (
	Recorded Result = "recorded"
	Known    Result = "known"     // the mail bounced, or was complained about, before
	NotOurs  Result = "not ours"  // no mail of ours is named in it, or its row was deleted
	NoReport Result = "no report" // an automatic reply, or about a delay
)

// HandleReport records a mail that came to the return path of one of ours: that it bounced, or a complaint. recipient is the
// address to which the report came; it may be empty if the report has it in a header. A repetition changes nothing. The error is one of the
// database, after which the report is to be handed in again.
func (s *Service) HandleReport(ctx context.Context, recipient string, raw []byte) (Result, error) {
	id, found := s.findToken([]byte(recipient))
	if !found {
		id, found = s.findToken(raw)
	}
	if !found {
		return NotOurs, nil
	}
	report := mail.ParseReport(raw)
	if report.Kind == mail.NoReport {
		return NoReport, nil
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (Result, error) {
		d, err := lockReported(ctx, tx, id)
		if errors.Is(err, pgx.ErrNoRows) {
			return NotOurs, nil
		}
		if err != nil {
			return "", err
		}
		if d.state == stateBounced || d.state == stateComplained {
			return Known, nil
		}
		if report.Kind == mail.Complaint {
			return Recorded, s.recordComplaint(ctx, tx, d)
		}
		return Recorded, s.recordBounce(ctx, tx, d, report.Answer)
	})
}

// recordBounce stores that a mail was not delivered.
func (s *Service) recordBounce(ctx context.Context, tx pgx.Tx, d delivery, answer mail.Answer) error {
	outcome := mail.Classify(answer, mail.AtReport)
	if err := setResult(ctx, tx, d.id, stateBounced, outcome, answer); err != nil {
		return err
	}
	return s.suppress(ctx, tx, d, outcome, answer)
}

// recordComplaint ends the mails of the kind, if a person can do without them: by the member's preference if there is one,
// else by a suppression of the address.
func (s *Service) recordComplaint(ctx context.Context, tx pgx.Tx, d delivery) error {
	if err := setState(ctx, tx, d.id, stateComplained); err != nil || !d.kind.IsOptional() {
		return err
	}
	if end := s.enders[d.kind]; end != nil && d.member != nil {
		return end(ctx, tx, *d.member)
	}
	return insertComplaint(ctx, tx, d)
}
