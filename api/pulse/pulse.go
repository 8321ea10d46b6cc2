// Package pulse owns the Love Pulse: a mood and a reflection of a member for each day. Entries are
// private. No admin reads them; the partner of a graduated member reads those given while both share.
package pulse

import (
	"context"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/jobqueue"
	"heartward/api/platform/nilcheck"
)

const (
	maxReflection = 1000
	dateLayout    = time.DateOnly
)

// Question is the question of a day.
type Question string

// questions are the questions in the order of the days.
var questions = [7]Question{
	"What brought you joy today?",
	"How did you show love to yourself today?",
	"What are you grateful for today?",
	"What is your intention for tomorrow?",
	"How did you connect with others today?",
	"When did you feel most alive today?",
	"What challenged you to grow today?",
}

// Schema returns the schema of a string that is one of the questions.
func (Question) Schema(huma.Registry) *huma.Schema {
	schema := &huma.Schema{Type: huma.TypeString}
	for _, q := range questions {
		schema.Enum = append(schema.Enum, string(q))
	}
	return schema
}

// QuestionOf returns the question of a date: the one at the day of the year modulo 7. The location of date has
// no effect.
func QuestionOf(date time.Time) Question { return questions[date.YearDay()%len(questions)] }

// Mood is how a member feels on a day.
type Mood string

// mood is a Mood with the emoji and the label that begin a response.
type mood struct {
	name         Mood
	emoji, label string
}

var moods = [7]mood{
	{"peaceful", "💙", "Peaceful"},
	{"hopeful", "💚", "Hopeful"},
	{"content", "💛", "Content"},
	{"energetic", "🧡", "Energetic"},
	{"passionate", "❤️", "Passionate"},
	{"inspired", "💜", "Inspired"},
	{"grateful", "🤍", "Grateful"},
}

// Schema returns the schema of a string that is one of the moods.
func (Mood) Schema(huma.Registry) *huma.Schema {
	schema := &huma.Schema{Type: huma.TypeString}
	for _, m := range moods {
		schema.Enum = append(schema.Enum, string(m.name))
	}
	return schema
}

func (m mood) prefix() string { return m.emoji + " " + m.label + ": " }

// formatResponse returns the response as the API has it: "{emoji} {mood label}: {reflection}".
func formatResponse(name Mood, reflection string) string {
	for _, m := range moods {
		if m.name == name {
			return m.prefix() + reflection
		}
	}
	return reflection
}

// parseResponse is the inverse of formatResponse. ok is false for a response without a known mood.
func parseResponse(response string) (name Mood, reflection string, ok bool) {
	// Keyboards write the red heart with and without the variation selector.
	plain := func(s string) string { return strings.ReplaceAll(s, "\uFE0F", "") }
	before, reflection, _ := strings.Cut(response, ": ")
	for _, m := range moods {
		if plain(before)+": " == plain(m.prefix()) {
			return m.name, reflection, true
		}
	}
	return "", "", false
}

// Service stores entries and what graduates share. It is safe for concurrent use.
type Service struct {
	pool     *pgxpool.Pool
	jobs     jobqueue.Inserter
	onChange func(ctx context.Context, ids ...uuid.UUID) // nil if not set
}

// New returns a Service that enqueues its jobs in jobs. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, jobs jobqueue.Inserter) *Service {
	nilcheck.Must("pulse.New", nilcheck.Deps{"pool": pool, "jobs": jobs})
	return &Service{pool: pool, jobs: jobs}
}

// Watch sets a function that is called after the commit of a change with the members whose entries, or whose partner's
// entries, it concerns. It must be called before the service is used.
func (s *Service) Watch(fn func(ctx context.Context, ids ...uuid.UUID)) { s.onChange = fn }

func (s *Service) notifyChanged(ctx context.Context, ids ...uuid.UUID) {
	if s.onChange != nil && len(ids) > 0 {
		s.onChange(ctx, ids...)
	}
}
