// Package members owns the profiles of members, the rules of who may see whom, and the
// photos and recordings of profiles.
package members

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/blobs"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Service reads and changes profiles. It is safe for concurrent use.
type Service struct {
	pool    *pgxpool.Pool
	blobs   *blobs.Service
	scale   float64 // of limits per network
	watcher Watcher // nil if not set

	repeats *limits.Members // of changes of what is hidden whose repetition is published

	onHidingChange func(ctx context.Context, id uuid.UUID) // nil if not set
	onTownChange   func(id uuid.UUID)                      // nil if not set
	onMediaDeleted func(ctx context.Context, id uuid.UUID) // nil if not set

	countUnread func(ctx context.Context, id uuid.UUID) (int, error)  // nil if not set
	mailFails   func(ctx context.Context, id uuid.UUID) (bool, error) // nil if not set
}

// New returns a service. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, b *blobs.Service) *Service {
	nilcheck.Must("members.New", nilcheck.Deps{"pool": pool, "blobs": b})
	return &Service{pool: pool, blobs: b, scale: 1, repeats: limits.NewRepetitions()}
}

// ScaleLimits multiplies what members of a network may read together by factor. It must be
// called before the service is used.
func (s *Service) ScaleLimits(factor float64) { s.scale = factor }

// Watcher is called after a change of a profile, in its transaction. An error rolls the
// change back.
type Watcher func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error

// Watch sets the Watcher. It must be called before the service is used.
func (s *Service) Watch(w Watcher) { s.watcher = w }

// WatchHiding sets a function that is called after the commit of each change of HideOnline or
// HideReadReceipts, and of at most ten calls a minute that set them to the value that they have. It must be called before the service is used.
func (s *Service) WatchHiding(fn func(ctx context.Context, id uuid.UUID)) { s.onHidingChange = fn }

// WatchTown sets a function that is called after the commit of a change of the town in which
// a member looks: their own or a visited one. It must be called before the service is used.
func (s *Service) WatchTown(fn func(id uuid.UUID)) { s.onTownChange = fn }

// WatchDeletedMedia sets a function that is called after a member has deleted a picture or recording of
// the profile. It must be called before the service is used.
func (s *Service) WatchDeletedMedia(fn func(ctx context.Context, id uuid.UUID)) {
	s.onMediaDeleted = fn
}

// CountUnreadBy sets the function that counts the unread notifications of Me. It must be called
// before the service is used.
func (s *Service) CountUnreadBy(fn func(ctx context.Context, id uuid.UUID) (int, error)) {
	s.countUnread = fn
}

// CheckMailBy sets the function that reports whether the address of Me takes no mail. It must be called before the service is
// used.
func (s *Service) CheckMailBy(fn func(ctx context.Context, id uuid.UUID) (bool, error)) {
	s.mailFails = fn
}

func (s *Service) notifyTownChange(id uuid.UUID) {
	if s.onTownChange != nil {
		s.onTownChange(id)
	}
}

func (s *Service) notifyWatcher(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	if s.watcher == nil {
		return nil
	}
	return s.watcher(ctx, tx, id)
}

// Photo is a stored picture. Members who may see its owner can read the URLs.
type Photo struct {
	ID          uuid.UUID `json:"id"`
	URL         string    `json:"url" doc:"Longest side 1,600 pixels"`
	ThumbURL    string    `json:"thumbUrl" doc:"Longest side 480 pixels"`
	Placeholder string    `json:"placeholder" doc:"A blurred picture as a data: URL"`
	Width       int       `json:"width"`
	Height      int       `json:"height"`
	Caption     string    `json:"caption"`
}

// Recording is a stored voice or video greeting, or a video of the gallery.
type Recording struct {
	ID          uuid.UUID `json:"id"`
	URL         string    `json:"url" doc:"Supports Range requests"`
	MimeType    string    `json:"mimeType"`
	DurationMs  int       `json:"durationMs"`
	Waveform    []int     `json:"waveform" maxItems:"64" doc:"Amplitudes from 0 to 100, to be drawn before the recording is fetched"`
	PosterURL   *string   `json:"posterUrl" nullable:"true" doc:"A picture of a video"`
	Placeholder string    `json:"placeholder" doc:"The poster blurred, as a data: URL"`
	Caption     string    `json:"caption"`
}

// Media is the pictures and recordings of a profile, without the photos.
type Media struct {
	HeaderBannerImage *Photo      `json:"headerBannerImage" db:"-"`
	AudioGreeting     *Recording  `json:"audioGreeting" db:"-"`
	VideoGreeting     *Recording  `json:"videoGreeting" db:"-"`
	GalleryImages     []Photo     `json:"galleryImages" db:"-" maxItems:"12"`
	GalleryVideos     []Recording `json:"galleryVideos" db:"-" maxItems:"4"`
}

// Counts are the numbers on the member's own profile. They omit matches and messages with
// members who are currently suspended or under review.
type Counts struct {
	Matches   int `json:"matches"`
	Messages  int `json:"messages" doc:"In all conversations, from both sides"`
	Referrals int `json:"referrals"`
	Unread    int `json:"unread" doc:"Unread notifications, at most 100"`
	NewBadges int `json:"newBadges" doc:"Badges whose celebration the member has not closed"`
}

// Me is a member's own account. Fields with db:"-" are set after the row is read.
type Me struct {
	ID             uuid.UUID `json:"id"`
	Email          string    `json:"email"`
	FullName       string    `json:"fullName"`
	FirstName      string    `json:"firstName"`
	LastName       string    `json:"lastName"`
	Age            int       `json:"age"`
	BirthDate      *string   `json:"birthDate" nullable:"true" format:"date" doc:"Null if only the age was given"`
	City           string    `json:"city"`
	State          string    `json:"state"`
	TownKnown      bool      `json:"townKnown" doc:"False if the town is not on the list of towns, so that it has no distance to others"`
	Gender         *string   `json:"gender" nullable:"true"`
	InterestedIn   []string  `json:"interestedIn"`
	HeightCm       *int      `json:"heightCm" nullable:"true"`
	IntentionTags  []string  `json:"intentionTags"`
	Bio            string    `json:"bio"`
	LoveReflection string    `json:"loveReflection"`
	HasChildren    *bool     `json:"hasChildren" nullable:"true"`
	WantsChildren  *bool     `json:"wantsChildren" nullable:"true"`
	Education      *string   `json:"education" nullable:"true"`
	Occupation     string    `json:"occupation"`
	Religion       *string   `json:"religion" nullable:"true"`
	ReligionCounts bool      `json:"religionCounts" doc:"Whether the religion counts in scores and in the filter by religion"`
	Prompts        []Prompt  `json:"prompts"`
	Photos         []Photo   `json:"photos"`
	Words
	Media
	ProfilePhoto     *string      `json:"profilePhoto" db:"-" nullable:"true"`
	ProfileImageURL  *string      `json:"profileImageUrl" db:"-" nullable:"true"`
	Paused           bool         `json:"paused" doc:"Whether the member is hidden from new members"`
	PausedUntil      *time.Time   `json:"pausedUntil" nullable:"true" doc:"When the pause ends by itself; null if it has no end, and if the member is not paused"`
	Visit            *Visit       `json:"visit" doc:"The visit to another town; null without one"`
	FirstNameOnly    bool         `json:"firstNameOnly" doc:"Whether members without a match see only the first name"`
	Incognito        bool         `json:"incognito" doc:"Whether the member is shown only to those whom they like"`
	HideOnline       bool         `json:"hideOnline" doc:"Whether online state and last activity are hidden in both directions"`
	HideReadReceipts bool         `json:"hideReadReceipts" doc:"Whether read receipts are hidden in both directions"`
	HidePremium      bool         `json:"hidePremium" doc:"Whether others see neither the Premium badge nor those of tiers"`
	HideBadges       bool         `json:"hideBadges" doc:"Whether others see none of the member's badges"`
	Welcomed         bool         `json:"welcomed" doc:"Whether the guided first run is complete"`
	StartStep        *string      `json:"startStep" nullable:"true" enum:"gender,seek,photo,prompt" doc:"The question of the guided first run that the member has reached; null once it is over, and for members who signed up without it"`
	IsAdmin          bool         `json:"isAdmin"`
	IsModerator      bool         `json:"isModerator"`
	IsPremium        bool         `json:"isPremium"`
	ProfileTheme     *string      `json:"profileTheme" nullable:"true" enum:"rose,honey,meadow,sky,dusk,starlight" doc:"The colours of the profile page; null for the usual ones, and without Premium"`
	ProfileFrame     *string      `json:"profileFrame" nullable:"true" enum:"double,garland" doc:"The frame of the first photo; null for none, and without Premium"`
	IsVerified       bool         `json:"isVerified" doc:"Ends with a change of the name, of the birth date, or to a first photo that is not in comparedPhotos"`
	ComparedPhotos   []uuid.UUID  `json:"comparedPhotos" doc:"Photos that were compared with the selfie of a verification"`
	IsFeatured       bool         `json:"isFeatured"`
	IsGraduated      bool         `json:"isGraduated"`
	IsApproved       bool         `json:"isApproved" doc:"False while the profile waits for a moderator or was declined: lists do not show the member, who can neither like nor write"`
	PhotoHeld        bool         `json:"photoHeld" doc:"Whether others do not see the first photo, because it waits for a moderator or was declined"`
	ProfileStatus    string       `json:"profileStatus" enum:"active,suspended,under_review,leaving"`
	DeletionDueAt    *time.Time   `json:"deletionDueAt" nullable:"true" doc:"The time of the deletion that the member asked for; until then keep-account restores the account"`
	HasPassword      bool         `json:"hasPassword"`
	ReferralCode     string       `json:"referralCode"`
	CreatedAt        time.Time    `json:"createdAt"`
	LastActiveAt     time.Time    `json:"lastActiveAt"`
	Completeness     Completeness `json:"completeness" db:"-"`
	Counts           Counts       `json:"counts" db:"-"`
	MailFails        bool         `json:"mailFails" db:"-" doc:"The address takes no mail, or none that the member can do without"`
}

// PublicMember is all fields that other members may see. It has no address, birth date,
// religion, last activity or likes. A test lists the allowed fields.
type PublicMember struct {
	ID             uuid.UUID `json:"id"`
	FirstName      string    `json:"firstName"`
	FullName       string    `json:"fullName" doc:"The first name if the member shows only that without a match"`
	Age            int       `json:"age"`
	City           string    `json:"city"`
	State          string    `json:"state"`
	Visit          *Visit    `json:"visit" doc:"The visit to another town, where the member looks for people; null without one"`
	Bio            string    `json:"bio"`
	LoveReflection string    `json:"loveReflection"`
	IntentionTags  []string  `json:"intentionTags"`
	Occupation     string    `json:"occupation"`
	Education      *string   `json:"education" nullable:"true"`
	HasChildren    *bool     `json:"hasChildren" nullable:"true"`
	WantsChildren  *bool     `json:"wantsChildren" nullable:"true"`
	Gender         *string   `json:"gender" nullable:"true"`
	HeightCm       *int      `json:"heightCm" nullable:"true"`
	Prompts        []Prompt  `json:"prompts"`
	Photos         []Photo   `json:"photos"`
	Words
	Media
	ProfilePhotos   []string `json:"profilePhotos" db:"-"`
	ProfileImageURL *string  `json:"profileImageUrl" db:"-" nullable:"true"`
	IsVerified      bool     `json:"isVerified"`
	IsPremium       bool     `json:"isPremium" doc:"False also if the member hides the badge"`
	BadgeTier       int      `json:"badgeTier" minimum:"0" maximum:"4" doc:"The tier of referrals whose badge others see: 2 to 4; 0 without one, or if the member hides it"`
	ProfileTheme    *string  `json:"profileTheme" nullable:"true" enum:"rose,honey,meadow,sky,dusk,starlight" doc:"The colours of the profile page; null for the usual ones"`
	ProfileFrame    *string  `json:"profileFrame" nullable:"true" enum:"double,garland" doc:"The frame of the first photo; null for none"`
	IsFeatured      bool     `json:"isFeatured"`
}

// StrangerView is a member's own profile as others get it: see AsViewer.
type StrangerView struct {
	Member  PublicMember `json:"member"`
	ShownTo string       `json:"shownTo" enum:"everyone,liked,matches" doc:"Who can see it now: everyone; those whom the member likes and matches, of an incognito member; only matches and those the member has written with"`
}

// CandidateCard is what a card of the deck or the grid draws of a member. The rest comes with
// the profile, whose views are limited. A test lists its fields.
type CandidateCard struct {
	ID              uuid.UUID `json:"id"`
	FirstName       string    `json:"firstName"`
	FullName        string    `json:"fullName" doc:"The first name if the member shows only that without a match"`
	Age             int       `json:"age"`
	City            string    `json:"city"`
	State           string    `json:"state"`
	Visit           *Visit    `json:"visit" doc:"The visit to another town, where the member looks for people; null without one"`
	Bio             string    `json:"bio"`
	LoveReflection  string    `json:"loveReflection"`
	IntentionTags   []string  `json:"intentionTags"`
	Occupation      string    `json:"occupation"`
	Pronouns        []string  `json:"pronouns"`
	Photos          []Photo   `json:"photos" maxItems:"2" doc:"The first two"`
	ProfileImageURL *string   `json:"profileImageUrl" db:"-" nullable:"true"`
	IsVerified      bool      `json:"isVerified"`
	IsPremium       bool      `json:"isPremium" doc:"False also if the member hides the badge"`
}

// UserCard is a member in lists and messages.
type UserCard struct {
	ID              uuid.UUID `json:"id"`
	FirstName       string    `json:"firstName"`
	FullName        string    `json:"fullName" doc:"The first name if the member shows only that without a match"`
	Age             int       `json:"age"`
	City            string    `json:"city"`
	Bio             string    `json:"bio"`
	ProfileImageURL *string   `json:"profileImageUrl" db:"-" nullable:"true"`
	Placeholder     string    `json:"placeholder"`
	IsVerified      bool      `json:"isVerified"`
}

// TransformSchema enumerates the words and makes the media nullable.
func (Me) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema { return profileSchema(s) }

// TransformSchema enumerates the words and makes the media nullable.
func (PublicMember) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return profileSchema(s)
}

// TransformSchema enumerates the words and makes the visit nullable.
func (CandidateCard) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(EnumerateWords(s), "visit")
}

func profileSchema(s *huma.Schema) *huma.Schema {
	return web.NullableRefs(EnumerateWords(s), "visit", "headerBannerImage", "audioGreeting", "videoGreeting")
}

// profileViews is the limit of the number of different members that a member may view in a day.
var profileViews = limits.Daily{Name: "profiles", Count: 300, Share: 100, Pool: 600}

// Me returns the member's own account, or NotFound.
func (s *Service) Me(ctx context.Context, id uuid.UUID) (Me, error) {
	me, err := selectMe(ctx, s.pool, id)
	if err != nil {
		return Me{}, err
	}
	me.Completeness = completeness(me)
	if s.countUnread != nil {
		if me.Counts.Unread, err = s.countUnread(ctx, id); err != nil {
			return Me{}, err
		}
	}
	if s.mailFails != nil {
		me.MailFails, err = s.mailFails(ctx, id)
	}
	return me, err
}

// Public returns the public profile of member id, which may be viewer. It returns NotFound
// if viewer may not see the member, and RateLimited after 300 different members a day.
func (s *Service) Public(ctx context.Context, viewer, id uuid.UUID) (PublicMember, error) {
	if err := CountView(ctx, s.pool, viewer, id, s.scale); err != nil {
		return PublicMember{}, err
	}
	return selectVisible(ctx, s.pool, viewer, id)
}

// Viewers for whom AsViewer shows the own profile.
const (
	AsStranger = "stranger" // without a like, match or conversation with the member
	AsMatch    = "match"
	AsBlocked  = "blocked" // the member has blocked them, or they the member
)

// AsViewer returns the member's own profile as others get it, whether or not it is shown now. Like any request by a blocked
// member, that for AsBlocked returns NotFound.
func (s *Service) AsViewer(ctx context.Context, id uuid.UUID, viewer string) (StrangerView, error) {
	switch viewer {
	case AsBlocked:
		return StrangerView{}, pg.Fault(pgx.ErrNoRows) // as selectVisible
	case AsMatch:
		return selectAsViewer(ctx, s.pool, id, standInMatch)
	}
	return selectAsViewer(ctx, s.pool, id, uuid.Nil)
}

// CountView counts a view of member id by viewer, once a day. It returns RateLimited after
// 300 different members, or after 100 if many members of the network viewed more, which
// scale multiplies. It must be called before the member is read.
func CountView(ctx context.Context, pool *pgxpool.Pool, viewer, id uuid.UUID, scale float64) error {
	if viewer == id {
		return nil
	}
	return profileViews.Scaled(scale).AllowOne(ctx, pool, web.NetworkOf(ctx), viewer, id,
		"You have looked at a lot of profiles today. There are more tomorrow.")
}
