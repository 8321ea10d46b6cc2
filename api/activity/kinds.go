package activity

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"heartward/api/notifications"
)

// Kind is the kind of an item.
type Kind string

// The kinds of what a member did, which only the activity lists. It has no received likes, and
// nothing about signing up, so that the list of a new member is empty.
const (
	Liked       Kind = "liked"
	SuperLiked  Kind = "super_liked"
	DatePlanned Kind = "date_planned"
	PhotoAdded  Kind = "photo_added"
	BannerAdded Kind = "banner_added"
	VoiceAdded  Kind = "voice_added"
	VideoAdded  Kind = "video_added"
	Verified    Kind = "verified"
)

// The kinds in both lists.
const (
	Matched         Kind = "matched"
	Graduated       Kind = "graduated"
	PostPublished   Kind = "post_published"
	FriendJoined    Kind = "friend_joined"
	FriendCompleted Kind = "friend_completed"
	BadgeEarned     Kind = "badge_earned"
)

// The kinds of what happened to a member, which only the notifications list.
const (
	Likes                 Kind = "likes" // of one day
	SuperLikeReceived     Kind = "super_like_received"
	RequestReceived       Kind = "request_received"
	CommentReceived       Kind = "comment_received"
	ReplyReceived         Kind = "reply_received"
	PostRejected          Kind = "post_rejected"
	TogetherInvited       Kind = "together_invited"
	ConsentAsked          Kind = "consent_asked"
	DateProposed          Kind = "date_proposed"
	DateAccepted          Kind = "date_accepted"
	DateDeclined          Kind = "date_declined"
	DateCancelled         Kind = "date_cancelled"
	DateSoon              Kind = "date_soon"
	GraduationAsked       Kind = "graduation_asked"
	GraduationAccepted    Kind = "graduation_accepted"
	GraduationDeclined    Kind = "graduation_declined"
	GraduationRejected    Kind = "graduation_rejected"
	VerificationApproved  Kind = "verification_approved"
	VerificationRejected  Kind = "verification_rejected"
	ProfileAccepted       Kind = "profile_accepted"
	ProfileDeclined       Kind = "profile_declined"
	PhotoAccepted         Kind = "photo_accepted"
	PhotoDeclined         Kind = "photo_declined"
	ReportDecided         Kind = "report_decided"
	Warned                Kind = "warned"
	PartsRemoved          Kind = "parts_removed"
	WarnedPartsRemoved    Kind = "warned_parts_removed" // by one decision
	Suspended             Kind = "suspended"
	SuspendedPartsRemoved Kind = "suspended_parts_removed" // by one decision
	Reviewed              Kind = "reviewed"
	Reinstated            Kind = "reinstated"
	AppealUpheld          Kind = "appeal_upheld"
	AppealLifted          Kind = "appeal_lifted"
	NewSignIn             Kind = "new_sign_in"
	PasswordSet           Kind = "password_set"
	PasskeyAdded          Kind = "passkey_added"
	EmailChange           Kind = "email_change"
	MoreNear              Kind = "more_near"
)

// kind is what an item of a kind says and opens.
type kind struct {
	// The text with the first name of the other member or the name of the row (%s), or the only one if
	// there is neither.
	text string
	// The text of the activity while the other member is not shown.
	hidden string
	// An address of the app; %s is the id of the row's target, or of the other member for toMember.
	// Empty for none.
	path string
	// The category of the kind's pushes; empty if it has none.
	category notifications.Category
}

// toMember is the path of the other member's profile.
const toMember = "/profile/%s"

const (
	toConversation = "/messages/%s"
	toPost         = "/community/%s"
	toProfile      = "/profile"
	toDates        = "/dates"
	toGraduation   = "/graduation"
	toDecisions    = "/decisions"
	toDevices      = "/settings?tab=privacy"
	toReferrals    = "/referrals"
	toOwnPosts     = "/community/mine"
	toBadges       = "/badges"
	toTogether     = "/together"
	toMoments      = "/shareable-moments"
	toHome         = "/"
)

var kinds = map[Kind]kind{
	Liked:       {text: "You liked %s.", hidden: "You liked someone who is not shown at the moment.", path: toMember},
	SuperLiked:  {text: "You super liked %s.", hidden: "You super liked someone who is not shown at the moment.", path: toMember},
	DatePlanned: {text: "You and %s planned a date.", hidden: "You planned a date with someone who is not shown at the moment.", path: toDates},
	PhotoAdded:  {text: "You added a photo.", path: toProfile},
	BannerAdded: {text: "You chose a new header picture.", path: toProfile},
	VoiceAdded:  {text: "You recorded a voice greeting.", path: toProfile},
	VideoAdded:  {text: "You added a video.", path: toProfile},
	Verified:    {text: "Your profile was verified.", path: toProfile},

	Matched: {
		text: "You and %s like each other.", hidden: "You matched with someone who is not shown at the moment.",
		path: toConversation, category: notifications.Matches,
	},
	Graduated: {
		text: "You and %s have graduated. Congratulations!", hidden: "You have graduated. Congratulations!",
		path: toGraduation, category: notifications.Graduation,
	},
	PostPublished:   {text: "Your story is on the community board.", path: toPost, category: notifications.Community},
	FriendJoined:    {text: "A friend joined through your link.", path: toReferrals, category: notifications.Badges},
	FriendCompleted: {text: "A friend completed their profile: a week of Premium for you both.", path: toReferrals, category: notifications.Badges},
	BadgeEarned:     {text: "You earned the badge %s.", path: toBadges, category: notifications.Badges},

	Likes:             {text: "%s likes you.", path: "/matches/likes", category: notifications.Likes},
	SuperLikeReceived: {text: "%s super liked you.", path: "/matches/likes", category: notifications.Likes},
	RequestReceived:   {text: "%s would like to chat with you.", path: toConversation, category: notifications.Messages},

	CommentReceived: {text: "%s commented on your story.", path: toPost, category: notifications.Community},
	ReplyReceived:   {text: "%s replied to your comment.", path: toPost, category: notifications.Community},
	PostRejected:    {text: "Your story could not be published. Open it to read why.", path: toOwnPosts, category: notifications.Community},

	ConsentAsked: {text: "%s would like to name you in the picture of your match.", path: toMoments, category: notifications.Matches},

	DateProposed:  {text: "%s proposes a date.", path: toDates, category: notifications.Messages},
	DateAccepted:  {text: "%s said yes to your date.", path: toDates, category: notifications.Messages},
	DateDeclined:  {text: "%s can't make the date.", path: toDates, category: notifications.Messages},
	DateCancelled: {text: "%s cancelled the date.", path: toDates, category: notifications.Messages},
	DateSoon:      {text: "Your date with %s is coming up.", path: toDates, category: notifications.Messages},

	GraduationAsked:    {text: "%s wants to graduate with you.", path: toGraduation, category: notifications.Graduation},
	GraduationAccepted: {text: "%s would love to graduate with you. A moderator looks at it now.", path: toGraduation, category: notifications.Graduation},
	GraduationDeclined: {text: "%s would rather wait to graduate.", path: toGraduation, category: notifications.Graduation},
	GraduationRejected: {text: "Your graduation with %s could not be approved. Open it to read why.", path: toGraduation, category: notifications.Graduation},
	TogetherInvited:    {text: "%s would like to share the Love Pulse with you.", path: toTogether, category: notifications.Graduation},

	VerificationApproved: {text: "You are verified.", path: toProfile},
	VerificationRejected: {text: "Your selfie could not be verified. Open it to read why.", path: toProfile},
	ProfileAccepted:      {text: "Your profile was approved. Others can find you now.", path: toProfile},
	ProfileDeclined:      {text: "Your profile could not be approved yet. Open it to read why.", path: toProfile},
	PhotoAccepted:        {text: "Your new first photo was approved.", path: toProfile},
	PhotoDeclined:        {text: "Your new first photo could not be approved. Open it to read why.", path: toProfile},

	ReportDecided: {text: "A moderator has looked into your report. Open it to read the outcome.", path: toDecisions},
	Warned:        {text: "A moderator sent you a warning. Open it to read it.", path: toDecisions},
	PartsRemoved:  {text: "A moderator removed parts of your profile. Open it to read why.", path: toDecisions},
	WarnedPartsRemoved: {
		text: "A moderator sent you a warning and removed parts of your profile. Open it to read why.", path: toDecisions,
	},
	Suspended: {text: "Your account was suspended. Open it to read the reason.", path: toDecisions},
	SuspendedPartsRemoved: {
		text: "Your account was suspended, and parts of your profile were removed. Open it to read the reason.", path: toDecisions,
	},
	Reviewed:     {text: "Your profile was put under review. Open it to read the reason.", path: toDecisions},
	Reinstated:   {text: "Your account is active again.", path: toDecisions},
	AppealUpheld: {text: "Your appeal was decided: the decision stays. Open it to read the reason.", path: toDecisions},
	AppealLifted: {text: "Your appeal was decided: we took the decision back.", path: toDecisions},

	NewSignIn:    {text: "Someone signed in to your account on a new device. Was it you?", path: toDevices},
	PasswordSet:  {text: "A password was set for your account.", path: toDevices},
	PasskeyAdded: {text: "A passkey was added to your account.", path: toDevices},
	EmailChange:  {text: "Someone asked to change the email address of your account.", path: toDevices},

	MoreNear: {text: "At least 20 more people are within 50 miles of your town.", path: toHome},
}

// Kinds returns all kinds, in the order of their names.
func Kinds() []Kind { return slices.Sorted(maps.Keys(kinds)) }

// pathOf returns the address that an item with a target opens; empty for none. other is nil for an item without another
// member, which never opens a member's profile.
func (k kind) pathOf(id uuid.UUID, other *uuid.UUID) string {
	switch k.path {
	case toConversation, toPost:
		return fmt.Sprintf(k.path, id)
	case toMember:
		if other == nil {
			return ""
		}
		return fmt.Sprintf(k.path, other)
	}
	return k.path
}

// maxOthers is the number up to which the further members of a group are counted.
const maxOthers = 20

// groupText returns the text for the likes of a day: name is that of the newest one's sender, and others the number of
// further senders, or more than maxOthers if they were not all counted.
func groupText(name string, others int) string {
	switch {
	case others == 0:
		return fmt.Sprintf(kinds[Likes].text, name)
	case others == 1:
		return name + " and 1 other like you."
	case others > maxOthers:
		return fmt.Sprintf("%s and more than %d others like you.", name, maxOthers)
	}
	return fmt.Sprintf("%s and %d others like you.", name, others)
}
