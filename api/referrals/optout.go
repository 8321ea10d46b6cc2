package referrals

import (
	"context"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// OptOutPath is the path of the page to which the link in an invitation leads, followed by a token, which
// must not be logged. A POST to the same path opts out (RFC 8058); opening the page does not, because mail
// servers open links.
const OptOutPath = "/api/invitations/opt-out/"

// maxToken is the maximum length of a token that is decoded.
const maxToken = 300

const tokenPurpose = "opt out of invitations"

// errBadLink is the error for a token that this installation did not make.
var errBadLink = fault.New(fault.NotFound, "This link is not valid. Perhaps the end of it is missing.")

// optOutLink returns the link for a mailbox. It does not expire, because mails are read late, and contains
// the encrypted HMAC of the mailbox.
func (s *Service) optOutLink(mac []byte) string {
	return s.site + OptOutPath + web.Seal(tokenPurpose, mac)
}

// macOf returns the HMAC of the mailbox in a token of optOutLink, or NotFound for any other token.
func macOf(token string) (mac []byte, err error) {
	if len(token) > maxToken || web.Unseal(tokenPurpose, token, &mac) != nil {
		return nil, errBadLink
	}
	return mac, nil
}

// CheckOptOut returns NotFound unless the token is that of a link in an invitation.
func (s *Service) CheckOptOut(token string) error {
	_, err := macOf(token)
	return err
}

// OptOut stores that the mailbox of the token gets no invitations any more. A repetition changes nothing. The
// members who invited the address do not learn of it. It returns NotFound for an invalid token.
func (s *Service) OptOut(ctx context.Context, token string) error {
	mac, err := macOf(token)
	if err != nil {
		return err
	}
	return pg.Fault(optOut(ctx, s.pool, mac))
}
