package notifications

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/google/uuid"
)

// maxBody is how many characters of a message a notification shows.
const maxBody = 50

// payload is the declarative form, which Safari shows by itself and our worker
// reads. Member lets the worker hide it from another who uses the device.
type payload struct {
	WebPush      int          `json:"web_push"`
	Notification notification `json:"notification"`
	Member       uuid.UUID    `json:"member"`
	AppBadge     int          `json:"app_badge"`
	Mutable      bool         `json:"mutable"` // the worker may change it
}

type notification struct {
	Title    string `json:"title"`
	Body     string `json:"body"`
	Navigate string `json:"navigate"`
	Tag      string `json:"tag"`
	AppBadge int    `json:"app_badge"`
}

func render(site string, args PushArgs, n news) []byte {
	return encode(args.ReceiverID, notification{
		Title: cut(n.From, maxBody), Body: body(n),
		Navigate: site + "/messages/" + n.PeerID.String(),
		Tag:      "conversation-" + args.ConversationID.String(), AppBadge: n.Unread,
	})
}

// renderMatch leads to the list of matches, which celebrates the one named.
func renderMatch(site string, args MatchPushArgs, n newMatch) []byte {
	return encode(args.ReceiverID, notification{
		Title: "It's a Match!", Body: cut("You and "+n.With+" like each other", maxBody),
		Navigate: site + "/matches?celebrate=" + args.MatchID.String(),
		Tag:      "match-" + args.MatchID.String(), AppBadge: n.Unread,
	})
}

func encode(member uuid.UUID, shown notification) []byte {
	data, err := json.Marshal(payload{
		WebPush: 8030, Member: member, AppBadge: shown.AppBadge, Mutable: true, Notification: shown,
	})
	if err != nil {
		panic("notifications: " + err.Error()) // strings and ids can always be encoded
	}
	return data
}

func body(n news) string {
	switch n.Type {
	case "audio":
		return "Sent you a voice message"
	case "video":
		return "Sent you a video message"
	case "image":
		return "Sent you a picture"
	}
	if n.Content == "" {
		return "Sent you a message"
	}
	return cut(strings.Join(strings.Fields(n.Content), " "), maxBody)
}

// cut keeps the first most characters and marks that there was more. It does
// not part a character from the marks and joiners that belong to it.
func cut(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	end := most
	for end > 0 && belongs(runes, end) {
		end--
	}
	if end == 0 {
		end = most // one endless character
	}
	return strings.TrimRightFunc(string(runes[:end]), unicode.IsSpace) + "…"
}

// belongs reports whether the rune at i is one sign with the rune before it.
func belongs(runes []rune, i int) bool {
	const joiner = '\u200d'
	return joins(runes[i]) || runes[i-1] == joiner || (flag(runes[i]) && flagsBefore(runes, i)%2 == 1)
}

func joins(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc, unicode.Variation_Selector) || r == '\u200d' ||
		(r >= 0x1F3FB && r <= 0x1F3FF) // skin tones
}

func flag(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

func flagsBefore(runes []rune, i int) (n int) {
	for i--; i >= 0 && flag(runes[i]); i-- {
		n++
	}
	return n
}

// topic makes a newer push replace one that was not delivered yet, without
// telling the push service which conversation or match it is.
func topic(of string, id uuid.UUID) string {
	sum := sha256.Sum256(append([]byte(of), id[:]...))
	return base64.RawURLEncoding.EncodeToString(sum[:15])
}
