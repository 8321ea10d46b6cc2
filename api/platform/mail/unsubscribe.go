package mail

import (
	"strings"

	"github.com/google/uuid"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// UnsubscribePath is the path of the page to which the link in a mail leads, followed by a token, which must not be
// logged. A POST to the same path unsubscribes (RFC 8058); opening the page does not, because mail servers open links.
const UnsubscribePath = "/api/unsubscribe/"

// UndoPath follows the token in the address to which the page sends a POST to subscribe again.
const UndoPath = "/undo"

// maxToken is the maximum length of a token that is decoded.
const maxToken = 300

const tokenPurpose = "unsubscribe from a kind of mail"

// errBadLink is the error for a token that this installation did not make.
var errBadLink = fault.New(fault.NotFound, "This link is not valid. Perhaps the end of it is missing.")

// Subscription is a member and a kind of mail that the member can turn off.
type Subscription struct {
	Member uuid.UUID `json:"m"`
	Kind   Kind      `json:"k"`
}

// UnsubscribeLink returns the link that ends a subscription at site, an origin. It does not expire, because mails are read
// late, needs no session, and contains the subscription encrypted.
func UnsubscribeLink(site string, s Subscription) string {
	return strings.TrimSuffix(site, "/") + UnsubscribePath + web.Seal(tokenPurpose, s)
}

// ParseUnsubscribe returns the subscription of the token of a link, or NotFound for another token.
func ParseUnsubscribe(token string) (s Subscription, err error) {
	if len(token) > maxToken || web.Unseal(tokenPurpose, token, &s) != nil {
		return Subscription{}, errBadLink
	}
	return s, nil
}
