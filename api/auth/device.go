package auth

import "strings"

// namedPart is a part of a User-Agent header and the name of the browser or system that it
// identifies.
type namedPart struct{ part, name string }

// The first part in the list that a header contains decides, because the headers of most browsers
// also contain the parts of others. features/members/device.ts of the app has the same names.
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
