package digest

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/notifications"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// UnsubscribePath is the path of the page to which the link in a digest leads, followed by a
// token, which must not be logged. A POST to the same path unsubscribes (RFC 8058); opening the
// page does not, because mail servers open links.
const UnsubscribePath = "/api/unsubscribe/"

// maxToken is the maximum length of a token that is decoded.
const maxToken = 200

const tokenPurpose = "unsubscribe from the digest"

// errBadLink is the error for a token that this installation did not make.
var errBadLink = fault.New(fault.NotFound, "This link is not valid. Perhaps the end of it is missing.")

// unsubscribeLink returns the link for a member. It does not expire, because mails are read late,
// and contains the encrypted id of the member.
func (s *Service) unsubscribeLink(member uuid.UUID) string {
	return s.site + UnsubscribePath + web.Seal(tokenPurpose, member)
}

func memberOf(token string) (member uuid.UUID, err error) {
	if len(token) > maxToken || web.Unseal(tokenPurpose, token, &member) != nil {
		return member, errBadLink
	}
	return member, nil
}

// CheckLink returns NotFound unless the token is that of a link in a digest.
func (s *Service) CheckLink(token string) error {
	_, err := memberOf(token)
	return err
}

// Unsubscribe turns the digest off for the member whose link has the token. It can be repeated,
// and does nothing for a deleted member. It returns NotFound for another token.
func (s *Service) Unsubscribe(ctx context.Context, token string) error {
	member, err := memberOf(token)
	if err != nil {
		return err
	}
	return pg.Fault(notifications.TurnOffDigest(ctx, s.pool, member))
}
