package notifications

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/google/uuid"

	"heartward/api/messaging/unread"
)

const (
	// maxText is the length of a body, and of a name in a title, in code points.
	maxText = 50
	// maxTitle is long enough for a name and the other words of a title.
	maxTitle = maxText + 30
)

// payload is a declarative push message. Safari shows it by itself; in other browsers the
// service worker reads it. If Member is not signed in on the device, the worker shows a
// generic text instead. It uses Conversation to reply and to mark as read, and closes the
// notifications of messages that Read names.
type payload struct {
	WebPush      int               `json:"web_push"`
	Notification notification      `json:"notification"`
	Member       uuid.UUID         `json:"member"`
	AppBadge     int               `json:"app_badge"`
	Mutable      bool              `json:"mutable"` // the service worker may change it
	Vibrate      bool              `json:"vibrate"`
	Conversation *conversation     `json:"conversation,omitempty"`
	Read         []unread.ReadUpTo `json:"read,omitempty"`
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

// deviceState is what a push tells a device in addition to its event.
type deviceState struct {
	unread int               // conversations with unread messages, shown on the app's icon
	read   []unread.ReadUpTo // conversations that were read on any device
}

// render returns the payload of a push.
func render(site string, member uuid.UUID, n Notification, state deviceState, settings Preferences) []byte {
	data, err := json.Marshal(payload{
		WebPush: 8030,
		Notification: notification{
			Title: truncate(n.Title, maxTitle), Body: truncate(n.Body, maxText), Navigate: site + n.Path, Tag: n.Tag,
			AppBadge: state.unread, Silent: !settings.Sound,
		},
		Member: member, AppBadge: state.unread, Mutable: true, Vibrate: settings.Sound && settings.Vibration,
		Conversation: n.conversation, Read: state.read,
	})
	if err != nil {
		panic("notifications: " + err.Error()) // strings and ids can always be encoded
	}
	return data
}

// plainTitles are the titles of the categories on devices that show no content.
var plainTitles = map[Category]string{
	Messages: "New message", Matches: "New match", Likes: "A new like", Community: "News from the community",
	Graduation: "News about your graduation", Badges: "A new badge", Digest: "Your week",
	Pulse: "Your Love Pulse",
}

// withoutContent returns the notification without names, texts and places.
func (n Notification) withoutContent() Notification {
	n.Title, n.Body, n.shortBody = cmp.Or(n.plainTitle, plainTitles[n.Category]), "Open Heartward to see it.", ""
	return n
}

// truncate returns at most limit code points of text, followed by an ellipsis if text is
// longer. It does not split grapheme clusters such as accents, flags and emoji sequences,
// unless the first cluster is longer than limit.
func truncate(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD") // replace invalid bytes, which belong to no cluster
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	end, runes := 0, 0
	for clusters := graphemes.FromString(text); clusters.Next(); {
		cluster := clusters.Value()
		if runes += utf8.RuneCountInString(cluster); runes > limit {
			break
		}
		end += len(cluster)
	}
	start := text[:end]
	if end == 0 {
		start = string([]rune(text)[:limit])
	}
	return strings.TrimRightFunc(start, unicode.IsSpace) + "…"
}

// topic returns the topic for a tag: a newer push replaces an undelivered one with the
// same topic. It is a hash, so that the push service learns neither the member nor the
// conversation.
func topic(member uuid.UUID, tag string) string {
	sum := sha256.Sum256(append(member[:], tag...))
	return base64.RawURLEncoding.EncodeToString(sum[:15])
}
