// Package members holds the profiles of members, what others may see of them,
// and their photos and recordings.
package members

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Service reads and changes profiles. Safe for use by many goroutines.
type Service struct {
	pool           *pgxpool.Pool
	blobs          *blobs.Service
	watcher        Watcher // nil without
	hiding         func(ctx context.Context, id uuid.UUID)
	recordingAdded func(ctx context.Context, tx pgx.Tx, file uuid.UUID) error
}

// New returns a service. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, b *blobs.Service) *Service {
	nilcheck.Must("members.New", nilcheck.Deps{"pool": pool, "blobs": b})
	return &Service{pool: pool, blobs: b}
}

// Watcher is called after a change of a profile, within its transaction; its
// error undoes the change.
type Watcher func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error

// Watch sets the Watcher; call it before the service is used.
func (s *Service) Watch(w Watcher) { s.watcher = w }

// WatchHiding sets a function that is called, after the commit, when a member
// begins or ceases to hide that they are online or what they read; call it before
// the service is used.
func (s *Service) WatchHiding(fn func(ctx context.Context, id uuid.UUID)) { s.hiding = fn }

// WatchRecordings sets a function that is called for each recording added to a
// profile, within the transaction that adds it; call it before the service is used.
func (s *Service) WatchRecordings(fn func(ctx context.Context, tx pgx.Tx, file uuid.UUID) error) {
	s.recordingAdded = fn
}

func (s *Service) notifyWatcher(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	if s.watcher == nil {
		return nil
	}
	return s.watcher(ctx, tx, id)
}

// Prompt is a question of the member's choice with a short answer.
type Prompt struct {
	Question string `json:"question" minLength:"1" maxLength:"120"`
	Answer   string `json:"answer" minLength:"1" maxLength:"250"`
}

// Photo is a stored picture. The addresses work for those who may see its owner.
type Photo struct {
	ID          uuid.UUID `json:"id"`
	URL         string    `json:"url" doc:"Longest side 1,600 pixels"`
	ThumbURL    string    `json:"thumbUrl" doc:"Longest side 480 pixels"`
	Placeholder string    `json:"placeholder" doc:"A blurred picture as data: address"`
	Width       int       `json:"width"`
	Height      int       `json:"height"`
	Caption     string    `json:"caption"`
}

// Recording is a stored voice or video greeting, or a video of the gallery.
type Recording struct {
	ID          uuid.UUID `json:"id"`
	URL         string    `json:"url" doc:"Answers to Range"`
	MimeType    string    `json:"mimeType"`
	DurationMs  int       `json:"durationMs"`
	Waveform    []int     `json:"waveform" maxItems:"64" doc:"Loudnesses of 0 to 100, to be drawn before the recording is fetched"`
	PosterURL   *string   `json:"posterUrl" nullable:"true" doc:"A picture of a video"`
	Placeholder string    `json:"placeholder" doc:"The poster blurred, as data: address"`
	Caption     string    `json:"caption"`
}

// Media is all of a profile's pictures and recordings but the photos.
type Media struct {
	HeaderBannerImage *Photo      `json:"headerBannerImage" db:"-"`
	AudioGreeting     *Recording  `json:"audioGreeting" db:"-"`
	VideoGreeting     *Recording  `json:"videoGreeting" db:"-"`
	GalleryImages     []Photo     `json:"galleryImages" db:"-"`
	GalleryVideos     []Recording `json:"galleryVideos" db:"-"`
}

// Counts are the figures on the member's own profile. Matches and messages with
// members who are suspended or under review count again when those are back.
type Counts struct {
	Matches   int `json:"matches"`
	Messages  int `json:"messages" doc:"In all conversations, from both sides"`
	Referrals int `json:"referrals"`
}

// Me is everything a member may know of the own account. The fields with
// db:"-" are filled in after the row is read.
type Me struct {
	ID             uuid.UUID `json:"id"`
	Email          string    `json:"email"`
	FullName       string    `json:"fullName"`
	FirstName      string    `json:"firstName"`
	LastName       string    `json:"lastName"`
	Age            int       `json:"age"`
	BirthDate      *string   `json:"birthDate" nullable:"true" format:"date" doc:"Null when only the age was given"`
	City           string    `json:"city"`
	State          string    `json:"state"`
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
	Prompts        []Prompt  `json:"prompts"`
	Photos         []Photo   `json:"photos"`
	Words
	Media
	ProfilePhoto     *string      `json:"profilePhoto" db:"-" nullable:"true"`
	ProfileImageURL  *string      `json:"profileImageUrl" db:"-" nullable:"true"`
	Paused           bool         `json:"paused" doc:"New members do not see this one"`
	Incognito        bool         `json:"incognito" doc:"Only those whom the member likes see the member"`
	HideOnline       bool         `json:"hideOnline" doc:"The member is not shown as online or last seen, and does not see it of others"`
	HideReadReceipts bool         `json:"hideReadReceipts" doc:"What the member has read is not shown, and the member does not see it of others"`
	Welcomed         bool         `json:"welcomed" doc:"The guided first run is over"`
	IsAdmin          bool         `json:"isAdmin"`
	IsPremium        bool         `json:"isPremium"`
	IsVerified       bool         `json:"isVerified"`
	IsFeatured       bool         `json:"isFeatured"`
	IsGraduated      bool         `json:"isGraduated"`
	IsApproved       bool         `json:"isApproved"`
	ProfileStatus    string       `json:"profileStatus" enum:"active,suspended,under_review"`
	HasPassword      bool         `json:"hasPassword"`
	ReferralCode     string       `json:"referralCode"`
	CreatedAt        time.Time    `json:"createdAt"`
	LastActiveAt     time.Time    `json:"lastActiveAt"`
	Completeness     Completeness `json:"completeness" db:"-"`
	Counts           Counts       `json:"counts" db:"-"`
}

// PublicMember is all that another member may ever see: no address, birth
// date, religion, last activity or likes. A test holds the list of fields.
type PublicMember struct {
	ID             uuid.UUID `json:"id"`
	FirstName      string    `json:"firstName"`
	FullName       string    `json:"fullName"`
	Age            int       `json:"age"`
	City           string    `json:"city"`
	State          string    `json:"state"`
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
	IsPremium       bool     `json:"isPremium"`
	IsFeatured      bool     `json:"isFeatured"`
}

// UserCard is the little that lists and messages show of a member.
type UserCard struct {
	ID              uuid.UUID `json:"id"`
	FirstName       string    `json:"firstName"`
	FullName        string    `json:"fullName"`
	Age             int       `json:"age"`
	City            string    `json:"city"`
	Bio             string    `json:"bio"`
	ProfileImageURL *string   `json:"profileImageUrl" nullable:"true"`
	Placeholder     string    `json:"placeholder"`
	IsVerified      bool      `json:"isVerified"`
}

// TransformSchema enumerates the words and makes the media nullable.
func (Me) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema { return profileSchema(s) }

// TransformSchema enumerates the words and makes the media nullable.
func (PublicMember) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return profileSchema(s)
}

func profileSchema(s *huma.Schema) *huma.Schema {
	return web.NullableRefs(EnumerateWords(s), "headerBannerImage", "audioGreeting", "videoGreeting")
}

// A member may view so many others a day, each as often as they like: a screen
// that shows one reads it more than once.
var (
	profileViews = limits.Rule{Name: "profile-views", Count: 300, Per: 24 * time.Hour}
	profileView  = limits.Rule{Name: "profile-view", Count: 1, Per: 24 * time.Hour}
)

// Me returns the member's own account; NotFound when there is none.
func (s *Service) Me(ctx context.Context, id uuid.UUID) (Me, error) {
	me, err := selectMe(ctx, s.pool, id)
	if err != nil {
		return Me{}, err
	}
	me.Completeness = completeness(me)
	return me, nil
}

// Public returns what viewer may see of the member id, the own profile as
// others see it included. NotFound when there is no such member or viewer may
// not see it; RateLimited after the profiles of 300 others a day.
func (s *Service) Public(ctx context.Context, viewer, id uuid.UUID) (PublicMember, error) {
	if err := CountView(ctx, s.pool, viewer, id); err != nil {
		return PublicMember{}, err
	}
	return selectVisible(ctx, s.pool, viewer, id)
}

// CountView counts a view of the member id by viewer, by any call and once a day:
// RateLimited after 300 others. Call it before reading the member.
func CountView(ctx context.Context, pool *pgxpool.Pool, viewer, id uuid.UUID) error {
	if viewer == id {
		return nil
	}
	// In one transaction, so that a refused view is not counted as seen.
	return pg.TxDo(ctx, pool, func(tx pgx.Tx) error {
		err := limits.Allow(ctx, tx, profileView, viewer.String()+" "+id.String())
		if fault.Is(err, fault.RateLimited) {
			return nil // seen within a day
		}
		if err != nil {
			return err
		}
		return limits.Allow(ctx, tx, profileViews, viewer.String())
	})
}
