package queue

import "strings"

// Decision is the code of a stored decision, which is the parameter of the error for a moderator who wanted to decide
// differently: the status or action that the feature of the entry stores. A published code is never renamed.
type Decision string

// WithRemoval returns the code of a decision on a report that also removed parts of the profile.
func (d Decision) WithRemoval() Decision { return d + "_and_remove" }

// decisionWords are the words of the codes in the sentence, of those that are not words themselves, such as "approved".
var decisionWords = map[Decision]string{
	"dismiss":            "dismissed",
	"keep_apart":         "kept apart",
	"warn":               "warned",
	"warn_and_remove":    "warned and removed parts of the profile",
	"remove":             "removed parts of the profile",
	"suspend":            "suspended",
	"suspend_and_remove": "suspended and removed parts of the profile",
	"ban":                "banned",
	"ban_and_remove":     "banned and removed parts of the profile",
	"not_of_age":         "banned, because not of age",
}

// Words returns the decision for the sentence of an error.
func (d Decision) Words() string {
	if words, ok := decisionWords[d]; ok {
		return words
	}
	return strings.ReplaceAll(string(d), "_", " ")
}
