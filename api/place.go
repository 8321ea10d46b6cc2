package api

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v3"
)

const maxPlaceLength = 64

// Place returns the place of the client that the proxy sends in PlaceHeader: a city or a
// country of at most 64 characters. It returns "" without one such header, and for a request
// that does not come from a proxy.
func (p Proxies) Place(c fiber.Ctx) string {
	if p.PlaceHeader == "" || !within(c.RequestCtx().RemoteIP().String(), p.Networks) {
		return ""
	}
	lines := c.Request().Header.PeekAll(p.PlaceHeader)
	if len(lines) != 1 {
		return ""
	}
	place := strings.TrimSpace(string(lines[0]))
	if name, ok := flyRegions[place]; ok {
		return name
	}
	if !placeName.MatchString(place) || utf8.RuneCountInString(place) > maxPlaceLength {
		return ""
	}
	return place
}

// placeName matches words of letters. A place is in mails, which must not contain a link.
var placeName = regexp.MustCompile(`^[\p{L}\p{M}]+((\. |[ ,'’-] ?)[\p{L}\p{M}]+)*$`)

// flyRegions are the cities of the regions at which clients reach Fly, the values of its
// header Fly-Region: https://fly.io/docs/reference/regions/
var flyRegions = map[string]string{
	"ams": "Amsterdam", "arn": "Stockholm", "bom": "Mumbai", "cdg": "Paris", "dfw": "Dallas", "ewr": "New York",
	"fra": "Frankfurt", "gru": "São Paulo", "iad": "Washington", "jnb": "Johannesburg", "lax": "Los Angeles",
	"lhr": "London", "nrt": "Tokyo", "ord": "Chicago", "sin": "Singapore", "sjc": "San Jose", "syd": "Sydney",
	"yyz": "Toronto",
}
