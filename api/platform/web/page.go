package web

import (
	"net/url"
	"strconv"
)

// Page holds the query parameters of every list.
type Page struct {
	Cursor string `query:"cursor" maxLength:"600" doc:"From the Link header of the previous page"`
	Limit  int    `query:"limit" minimum:"1" maximum:"50" default:"50" doc:"Maximum number of rows"`
}

// Query returns the limit for NextLink, which adds the cursor.
func (p Page) Query() url.Values { return url.Values{"limit": {strconv.Itoa(p.Limit)}} }

// Paginate returns the first limit of rows and the cursor of the next page of list,
// which is "" if there is none. rows has limit+1 elements if there is a next page. key returns
// the sort key of a row.
func Paginate[T, K any](list List, rows []T, limit int, key func(T) K) ([]T, string) {
	if len(rows) <= limit {
		return rows, ""
	}
	return rows[:limit], EncodeCursor(list, key(rows[limit-1]))
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
