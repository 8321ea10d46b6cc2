package web

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/fault"
)

// Page is what every list takes: at most 50 rows, and where to go on.
type Page struct {
	Cursor string `query:"cursor" maxLength:"500" doc:"From the Link header of the page before"`
	Limit  int    `query:"limit" minimum:"1" maximum:"50" default:"50" doc:"How many rows at most"`
}

// EncodeCursor makes the opaque text for the sort key of a page's last row.
// key must be a value that JSON can carry; what it holds is no secret.
func EncodeCursor(key any) string {
	raw, err := json.Marshal(key)
	if err != nil {
		panic(err) // a key that cannot be marshalled is a mistake in the code
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// DecodeCursor reads cursor into key, a pointer. An empty cursor leaves key as
// it is. A text that EncodeCursor has not made for such a key is Invalid.
func DecodeCursor(cursor string, key any) error {
	if cursor == "" {
		return nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(raw, key)
	}
	if err != nil || EncodeCursor(key) != cursor { // the second: parts are missing or too many
		return fault.InvalidField("query.cursor", "This cursor is not one of ours. Please start from the first page.")
	}
	return nil
}

// Moment is a place in a list sorted by time.
type Moment struct {
	At time.Time `json:"t"`
	ID uuid.UUID `json:"i"`
}

// Newest is the place before the first row of a list with the newest first.
var Newest = Moment{At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), ID: uuid.Max}

// Cut leaves limit of rows, of which one more was read, and makes the cursor of
// the next page where there is one; key is a row's place.
func Cut[T, K any](rows []T, limit int, key func(T) K) ([]T, string) {
	if len(rows) <= limit {
		return rows, ""
	}
	return rows[:limit], EncodeCursor(key(rows[limit-1]))
}

// NextLink is the Link header that leads to the next page of path. query holds
// the list's other parameters and may be nil; an empty cursor gives "".
func NextLink(path string, query url.Values, cursor string) string {
	if cursor == "" {
		return ""
	}
	next := url.Values{}
	for name, values := range query {
		next[name] = values
	}
	next.Set("cursor", cursor)
	return "<" + path + "?" + next.Encode() + `>; rel="next"`
}
