package auth

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// namedPart is a part of a User-Agent header and the name of the browser or system that it
// identifies.
type namedPart struct{ part, name string }

// The first part in the list that a header contains decides, because the headers of most browsers
// also contain the parts of others. features/account/device.ts of the app has the same names.
var (
	browserParts = []namedPart{
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
		{"Chrome/", "Chrome"}, {"CriOS/", "Chrome"}, {"Safari/", "Safari"},
	}
	systemParts = []namedPart{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"},
		{"Mac OS X", "Mac"}, {"Linux", "Linux"},
	}
)

// deviceName returns a name such as "Safari on iPhone". It contains nothing else of the
// header, which the client chooses.
func deviceName(agent string) string {
	browser, system := nameIn(agent, browserParts), nameIn(agent, systemParts)
	switch {
	case browser != "" && system != "":
		return browser + " on " + system
	case browser != "" || system != "":
		return browser + system
	}
	return "An unknown device"
}

// deviceAt returns the name of a device and, if it is known, its place.
func deviceAt(agent, place string) string {
	if place == "" {
		return deviceName(agent)
	}
	return deviceName(agent) + ", near " + place
}

func nameIn(agent string, parts []namedPart) string {
	for _, p := range parts {
		if strings.Contains(agent, p.part) {
			return p.name
		}
	}
	return ""
}

// DeviceSessions is a kind of device on which a member is signed in.
type DeviceSessions struct {
	Device     string    `json:"device" example:"Safari on iPhone"`
	Sessions   int       `json:"sessions"`
	LastSeenAt time.Time `json:"lastSeenAt" doc:"The last use of any of them"`
}

// SessionsByDevice returns how many valid sessions a member has on each kind of device, the most recently used
// first, without addresses and places.
func SessionsByDevice(ctx context.Context, db pg.DB, member uuid.UUID) ([]DeviceSessions, error) {
	rows, _ := db.Query(ctx, `
		SELECT s.user_agent, `+lastSeen+`
		FROM `+sessionsWithActivity+`
		JOIN credentials u ON u.user_id = s.user_id
		WHERE s.user_id = $1
			AND `+validSession+`
		ORDER BY 2 DESC, s.id`, member)
	devices := []DeviceSessions{}
	var agent string
	var seen time.Time
	_, err := pgx.ForEachRow(rows, []any{&agent, &seen}, func() error {
		name := deviceName(agent)
		at := slices.IndexFunc(devices, func(d DeviceSessions) bool { return d.Device == name })
		if at < 0 {
			at = len(devices)
			devices = append(devices, DeviceSessions{Device: name, LastSeenAt: web.Time(seen)})
		}
		devices[at].Sessions++
		return nil
	})
	return devices, pg.Fault(err)
}
