package moderation

import (
	"slices"
	"strings"
	"time"

	"heartward/api/platform/mail"
)

// warningYears is the number of years for which a warning counts.
const warningYears = 1

// Reasons is the statement of reasons of a sanction, beside the moderator's explanation. Each field is a sentence or more for
// the member.
type Reasons struct {
	Scope      string `json:"scope" doc:"What is restricted"`
	Duration   string `json:"duration" doc:"Until when"`
	Ground     string `json:"ground" doc:"Which rule it breaks"`
	Facts      string `json:"facts" doc:"From where the moderators know of it"`
	Automation string `json:"automation" doc:"Whether a program took part"`
	Redress    string `json:"redress" doc:"What the member can do against it"`
}

// Ground is the rule that was broken: a reason of reports, or CommunityRules.
type Ground string

// CommunityRules is the ground of a decision that names no single rule.
const CommunityRules Ground = "rules"

// grounds has the rules in words.
var grounds = map[Ground]string{
	CommunityRules:         "our community rules",
	"other":                "our community rules",
	"underage":             "the rule that members are 18 or older",
	"threat":               "the rule against threats",
	"assault":              "the rule against violence",
	"nonconsensual_images": "the rule against intimate pictures without consent",
	"scam":                 "the rule against asking for money and scams",
	"hate":                 "the rule against hate and discrimination",
	"harassment":           "the rule to be kind, without insults and pressure",
	"fake_profile":         "the rule to be yourself, with your own name and photos",
	"not_single":           "the rule to be honest about being single",
	"inappropriate":        "the rule against sexual or offensive pictures and messages",
	"spam":                 "the rule against advertising",
}

// groundsOfFlags are the rules of the categories of flagged messages. One that only bothers the recipient is harassment.
var groundsOfFlags = map[string]Ground{
	"harassment": "harassment", "sexual_pressure": "inappropriate", "money": "scam", "off_platform": "scam", "spam": "spam", "": "harassment",
}

const notShown = "Your profile isn't shown, and you can't use Heartward, wherever you are."

var scopes = map[SanctionKind]string{
	Warning:    "Nothing is restricted. If it happens again while the warning counts, we may suspend your account.",
	Suspension: notShown,
	BanForGood: notShown,
	Review:     notShown,
}

var facts = map[string]string{
	"report":    "A member reported you. A moderator read the report and what belongs to it.",
	"message":   "A moderator read a message you sent.",
	"pictures":  "A check of the pictures in your profile found something.",
	"moderator": "A moderator looked at your account.",
}

var automations = map[string]string{
	"none":    "No program took part in the decision.",
	"found":   "A program found it. A moderator made the decision.",
	"decided": "A program made this decision. A moderator looks at it next.",
}

const redress = "You can appeal once, in the app under Reports and decisions, and a moderator looks at it again. You can also go to " +
	"a court or, in the European Union, to a certified out-of-court dispute settlement body."

// reasons returns the statement of reasons. It is nil for a reinstatement and a reversal, which restrict nothing.
func (s Sanction) reasons() *Reasons {
	scope, ok := scopes[s.Kind]
	if len(s.Parts) > 0 {
		scope, ok = joinSentences(scope, "These parts of your profile aren't shown anymore: "+s.removed()+"."), true
	}
	if !ok {
		return nil
	}
	return &Reasons{
		Scope: scope, Duration: joinSentences(s.duration(), s.removalDuration()), Facts: facts[s.FactsFrom], Automation: automations[s.Automation], Redress: redress,
		Ground: "It breaks " + grounds[s.Ground] + ".",
	}
}

// removed returns the names of the removed parts in a sentence.
func (s Sanction) removed() string { return strings.Join(s.Parts, ", ") }

// joinSentences returns sentences with a space between them, without the empty ones.
func joinSentences(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// removalDuration returns for how long the parts of the profile are removed; empty if the sanction removes none.
func (s Sanction) removalDuration() string {
	if len(s.Parts) == 0 {
		return ""
	}
	until := s.CreatedAt.AddDate(0, 0, warningAppealDays).UTC().Format(dayFormat)
	if s.Kind == Removal {
		return "For good. Until " + until + " we keep what was removed, and put it back if an appeal is granted."
	}
	return "The parts of your profile are removed for good. Until " + until + " we keep them, and put them back if an appeal is granted."
}

// duration returns for how long the sanction has an effect, apart from removed parts; empty for a Removal.
func (s Sanction) duration() string {
	switch {
	case s.Kind == Warning:
		return "It counts until " + s.CreatedAt.AddDate(warningYears, 0, 0).UTC().Format(dayFormat) + "."
	case s.Kind == Removal:
		return ""
	case s.SuspendedUntil != nil:
		return "Until " + s.SuspendedUntil.UTC().Format(dayFormat+", 15:04 UTC") + "."
	case s.DeletesAt != nil:
		return "For good. We delete the account on " + s.DeletesAt.UTC().Format(dayFormat) + "."
	case s.Kind == Review:
		return "Until a moderator ends it."
	}
	return "For good."
}

// blocks returns the statement for a mail. It omits the redress, because Office.appeal describes it at the end of the mail.
func (r *Reasons) blocks() []mail.Block {
	if r == nil {
		return nil
	}
	return []mail.Block{mail.Facts("What it means: "+r.Scope, "How long: "+r.Duration, "The rule: "+r.Ground, "How we know: "+r.Facts+" "+r.Automation)}
}

// complete sets CountsUntil, and IsActive of a warning or removal, which are not stored.
func (s Sanction) complete(now time.Time) Sanction {
	if s.Kind == Removal {
		s.IsActive = s.ReversedBy == nil
	}
	if s.Kind == Warning {
		s.CountsUntil = new(s.CreatedAt.AddDate(warningYears, 0, 0))
		s.IsActive = s.ReversedBy == nil && now.Before(*s.CountsUntil)
	}
	return s
}
