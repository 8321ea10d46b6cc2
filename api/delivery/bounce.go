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

// tokenEncoding uses lower case only, because mail servers may change the case of an address.
var tokenEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

const macLength = 8 // bytes of the signature in a token

// tokenPattern matches the token in a return path: the 16 bytes of an id and macLength bytes are 39 characters in base32.
var tokenPattern = regexp.MustCompile(`(?i)\+([a-z2-7]{39})@`)

// returnPath returns the address to which reports about a mail are sent: Config.Bounces with a signed token that
// identifies the mail (VERP). It is empty without Config.Bounces.
func (s *Service) returnPath(id uuid.UUID) string {
	local, domain, ok := strings.Cut(s.config.Bounces, "@")
	if !ok {
		return ""
	}
	return local + "+" + s.token(id) + "@" + domain
}

// token returns the id of a mail with a truncated HMAC of it, so that a token cannot be forged.
func (s *Service) token(id uuid.UUID) string {
	mac := hmac.New(sha256.New, s.config.Secret)
	mac.Write([]byte("return path\x00"))
	mac.Write(id[:])
	return tokenEncoding.EncodeToString(append(id[:], mac.Sum(nil)[:macLength]...))
}

// findToken returns the id of the mail whose return path is in raw. A report contains it in its own headers, and in those
// of the returned mail.
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
	Known    Result = "known"     // a bounce or complaint about the mail is stored already
	NotOurs  Result = "not ours"  // it has no valid token, or the row of the mail was deleted
	NoReport Result = "no report" // it is an automatic reply, or a report about a delay
)

// HandleReport records the bounce or complaint in a report about one of our mails. raw is the report, which is a mail to the
// return path of that mail. recipient is the address to which the report was sent; if it is empty, the return path is looked for
// in raw. A repetition changes nothing. Errors are those of the database: the caller calls again later with the same report.
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

// recordBounce stores that a mail was not delivered, and suppresses the address if it has no mailbox or a full one.
func (s *Service) recordBounce(ctx context.Context, tx pgx.Tx, d delivery, answer mail.Answer) error {
	outcome := mail.Classify(answer, mail.AtReport)
	if err := setResult(ctx, tx, d.id, stateBounced, outcome, answer); err != nil {
		return err
	}
	return s.suppress(ctx, tx, d, outcome, answer)
}

// recordComplaint records that the recipient complained, and ends the mails of an optional kind: by the Ender of the kind
// if there is one and the recipient is a member, otherwise by a suppression of the address.
func (s *Service) recordComplaint(ctx context.Context, tx pgx.Tx, d delivery) error {
	if err := setState(ctx, tx, d.id, stateComplained); err != nil || !d.kind.IsOptional() {
		return err
	}
	if end := s.enders[d.kind]; end != nil && d.member != nil {
		return end(ctx, tx, *d.member)
	}
	return insertComplaint(ctx, tx, d)
}
