package notifications

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/google/uuid"
)

const (
	// maxText is the length of a body, and of a name in a title, in code points.
	maxText = 50
	// maxTitle leaves room for a name and the words around it.
	maxTitle = maxText + 30
)

// payload is the declarative form, which Safari shows by itself and the service
// worker reads. Member lets the worker hide it from another member who uses the
// device; Conversation lets it answer and mark as read.
type payload struct {
	WebPush      int           `json:"web_push"`
	Notification notification  `json:"notification"`
	Member       uuid.UUID     `json:"member"`
	AppBadge     int           `json:"app_badge"`
	Mutable      bool          `json:"mutable"` // the service worker may change it
	Vibrate      bool          `json:"vibrate"`
	Conversation *conversation `json:"conversation,omitempty"`
}

type conversation struct {
	ID     uuid.UUID `json:"id"`
	PeerID uuid.UUID `json:"peerId"`
	Seq    int64     `json:"seq"` // of the newest message
}

type notification struct {
	Title    string `json:"title"`
	Body     string `json:"body"`
	Navigate string `json:"navigate"`
	Tag      string `json:"tag"`
	AppBadge int    `json:"app_badge"`
	Silent   bool   `json:"silent,omitempty"`
}

// render returns the payload of a push. Unread is the number of conversations with
// unread messages, which the app's icon shows.
func render(site string, member uuid.UUID, n Notification, unread int, settings Preferences) []byte {
	data, err := json.Marshal(payload{
		WebPush: 8030,
		Notification: notification{
			Title: cut(n.Title, maxTitle), Body: cut(n.Body, maxText), Navigate: site + n.Path, Tag: n.Tag,
			AppBadge: unread, Silent: !settings.Sound,
		},
		Member: member, AppBadge: unread, Mutable: true, Vibrate: settings.Sound && settings.Vibration,
		Conversation: n.conversation,
	})
	if err != nil {
		panic("notifications: " + err.Error()) // strings and ids can always be encoded
	}
	return data
}

// cut returns at most the first most code points of text, followed by an
// ellipsis when there was more. It cuts between grapheme clusters, so that no
// accent, flag or emoji sequence is split, unless one cluster alone is longer.
func cut(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD") // invalid bytes are no part of a cluster
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	end, runes := 0, 0
	for clusters := graphemes.FromString(text); clusters.Next(); {
		cluster := clusters.Value()
		if runes += utf8.RuneCountInString(cluster); runes > most {
			break
		}
		end += len(cluster)
	}
	start := text[:end]
	if end == 0 {
		start = string([]rune(text)[:most])
	}
	return strings.TrimRightFunc(start, unicode.IsSpace) + "…"
}

// topic makes a newer push replace an undelivered one with the same tag. It is a
// hash, so that the push service learns neither the member nor the conversation.
func topic(member uuid.UUID, tag string) string {
	sum := sha256.Sum256(append(member[:], tag...))
	return base64.RawURLEncoding.EncodeToString(sum[:15])
}
