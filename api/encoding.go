package api

import (
	"strconv"
	"strings"
)

// chooseCoding returns the content coding of a response by an Accept-Encoding header
// (RFC 9110, section 12.5.3): the offer with the highest quality, or the first of those
// with the same quality. It returns "", for a response that is not compressed, when
// the header accepts no offer or prefers identity.
func chooseCoding(accepted string, offers []string) string {
	qualities := parseQualities(accepted)
	best, highest := "", 0.0
	for _, offer := range offers {
		quality, listed := qualities[offer]
		if !listed {
			quality = qualities["*"]
		}
		if quality > highest {
			best, highest = offer, quality
		}
	}
	if qualities["identity"] > highest {
		return ""
	}
	return best
}

// parseQualities returns the quality of each value of a list such as "gzip, br;q=0.5".
// An invalid quality counts as 0.
func parseQualities(list string) map[string]float64 {
	qualities := map[string]float64{}
	for item := range strings.SplitSeq(list, ",") {
		value, parameter, found := strings.Cut(strings.ToLower(item), ";")
		quality := 1.0
		if found {
			number, _ := strings.CutPrefix(strings.TrimSpace(parameter), "q=")
			quality, _ = strconv.ParseFloat(number, 64)
		}
		qualities[strings.TrimSpace(value)] = quality
	}
	return qualities
}
