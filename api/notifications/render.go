package notifications

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/google/uuid"
)

// maxBody is how many characters of a message a notification shows.
const maxBody = 50

// payload is the declarative form, which Safari shows by itself and our worker
// reads. Member lets the worker hide it from another who uses the device;
// Conversation lets it answer and mark as read.
type payload struct {
	WebPush      int           `json:"web_push"`
	Notification notification  `json:"notification"`
	Member       uuid.UUID     `json:"member"`
	AppBadge     int           `json:"app_badge"`
	Mutable      bool          `json:"mutable"` // the worker may change it
	Vibrate      bool          `json:"vibrate"`
	Conversation *conversation `json:"conversation,omitempty"`
}

type conversation struct {
	ID     uuid.UUID `json:"id"`
	PeerID uuid.UUID `json:"peerId"`
	Seq    int64     `json:"seq"` // of the newest message told
}

type notification struct {
	Title    string `json:"title"`
	Body     string `json:"body"`
	Navigate string `json:"navigate"`
	Tag      string `json:"tag"`
	AppBadge int    `json:"app_badge"`
	Silent   bool   `json:"silent,omitempty"`
}

func render(site string, args PushArgs, n news, settings Preferences) []byte {
	told := payload{
		Conversation: &conversation{ID: args.ConversationID, PeerID: n.PeerID, Seq: args.Seq},
		Notification: notification{
			Title: title(n), Body: body(n),
			Navigate: site + "/messages/" + n.PeerID.String(),
			Tag:      "conversation-" + args.ConversationID.String(), AppBadge: n.Unread,
		},
	}
	if n.Request { // there is nothing to answer before it is accepted
		told.Conversation = nil
		told.Notification.Title, told.Notification.Body = "Someone new wrote to you", cut(n.From, maxBody-20)+" sent you a request"
	}
	return encode(args.ReceiverID, settings, told)
}

// renderMatch leads to the list of matches, which celebrates the one named.
func renderMatch(site string, args MatchPushArgs, n newMatch, settings Preferences) []byte {
	return encode(args.ReceiverID, settings, payload{Notification: notification{
		Title: "It's a Match!", Body: cut("You and "+n.With+" like each other", maxBody),
		Navigate: site + "/matches?celebrate=" + args.MatchID.String(),
		Tag:      "match-" + args.MatchID.String(), AppBadge: n.Unread,
	}})
}

func encode(member uuid.UUID, settings Preferences, told payload) []byte {
	told.WebPush, told.Member, told.AppBadge, told.Mutable = 8030, member, told.Notification.AppBadge, true
	told.Notification.Silent, told.Vibrate = !settings.Sound, settings.Sound && settings.Vibration
	data, err := json.Marshal(told)
	if err != nil {
		panic("notifications: " + err.Error()) // strings and ids can always be encoded
	}
	return data
}

func title(n news) string {
	name := cut(n.From, maxBody)
	if n.Count > 1 {
		return fmt.Sprintf("%d new messages from %s", n.Count, name)
	}
	return name
}

func body(n news) string {
	text := cut(strings.Join(strings.Fields(n.Content), " "), maxBody)
	switch {
	case n.Hidden:
		return "Sent you a message"
	case n.Type == "audio":
		return "Voice message" + length(n.Duration)
	case n.Type == "video":
		return "Video message" + length(n.Duration)
	case n.Type == "image" && n.Files > 1:
		return fmt.Sprintf("%d pictures", n.Files)
	case n.Type == "image":
		return "Picture"
	case text == "":
		return "Sent you a message"
	}
	return text
}

// length is how long a recording is, as players show it.
func length(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	seconds := int(max(d.Round(time.Second)/time.Second, 1))
	return fmt.Sprintf(", %d:%02d", seconds/60, seconds%60)
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

// topic makes a newer push replace one that was not delivered yet, without
// telling the push service which conversation or match it is.
func topic(of string, id uuid.UUID) string {
	sum := sha256.Sum256(append([]byte(of), id[:]...))
	return base64.RawURLEncoding.EncodeToString(sum[:15])
}
