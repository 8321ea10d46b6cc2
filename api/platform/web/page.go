package web

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/fault"
)

// Page holds the query parameters of every list.
type Page struct {
	Cursor string `query:"cursor" maxLength:"500" doc:"From the Link header of the previous page"`
	Limit  int    `query:"limit" minimum:"1" maximum:"50" default:"50" doc:"Maximum number of rows"`
}

// EncodeCursor returns the opaque text for key, which is the sort key of a page's
// last row. It panics if key cannot be marshalled as JSON. The text is not encrypted, so
// a client can read the key.
func EncodeCursor(key any) string {
	raw, err := json.Marshal(key)
	if err != nil {
		panic(err) // a bug: the type of a key is fixed
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// DecodeCursor decodes cursor into key, a pointer. It leaves key unchanged if the
// cursor is empty, and returns Invalid if the cursor is not one that EncodeCursor
// returned for a key of this type.
func DecodeCursor(cursor string, key any) error {
	if cursor == "" {
		return nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(raw, key)
	}
	if err != nil || EncodeCursor(key) != cursor { // the second condition: fields are missing or unknown
		return fault.InvalidField("query.cursor", "This cursor is not valid. Please start from the first page.")
	}
	return nil
}

// Cursor is the sort key of a row in a list that is sorted by time.
type Cursor struct {
	At time.Time `json:"t"`
	ID uuid.UUID `json:"i"`
}

// StartCursor precedes the first row of a list with the newest first.
var StartCursor = Cursor{At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), ID: uuid.Max}

// Paginate returns the first limit of rows and the cursor of the next page, which
// is "" if there is none. rows has limit+1 elements if there is a next page. key returns
// the sort key of a row.
func Paginate[T, K any](rows []T, limit int, key func(T) K) ([]T, string) {
	if len(rows) <= limit {
		return rows, ""
	}
	return rows[:limit], EncodeCursor(key(rows[limit-1]))
}

// Remaining returns the X-Remaining header of a page: the number of rows after it, with a
// plus if there are more than count.
func Remaining(count int, more bool) string {
	if more {
		return strconv.Itoa(count) + "+"
	}
	return strconv.Itoa(count)
}

// NextLink returns the Link header for the next page of path, and "" if cursor is
// empty. query holds the other parameters of the list and may be nil.
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
