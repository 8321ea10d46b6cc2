package members

import (
	"context"
	"fmt"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

const maxPrompts = 3

// Prompt is a question that the member chose, with the answer in writing, as a recording
// or both.
type Prompt struct {
	Question string     `json:"question"`
	Answer   string     `json:"answer" doc:"Empty if there is only a recording"`
	Voice    *Recording `json:"voice"`
}

// TransformSchema makes the recording nullable.
func (Prompt) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "voice")
}

// PromptChange is a prompt as a member sends it.
type PromptChange struct {
	Question string     `json:"question" minLength:"1" maxLength:"120"`
	Answer   string     `json:"answer" maxLength:"250"`
	VoiceID  *uuid.UUID `json:"voiceId,omitempty" format:"uuid" doc:"A recorded answer of the present prompts; without it, a recording of the same question stays unless it is removed"`
}

// PromptTopic is a topic with the questions that are suggested for it.
type PromptTopic struct {
	Topic     string              `json:"topic"`
	Questions []SuggestedQuestion `json:"questions"`
}

// SuggestedQuestion is a question of a prompt with an answer as an example.
type SuggestedQuestion struct {
	Question string `json:"question"`
	Example  string `json:"example"`
}

// promptTopics are suggestions. A member may also write another question, and keeps the
// text of one that is removed here.
var promptTopics = []PromptTopic{
	{"About me", []SuggestedQuestion{
		{"I feel most at home when", "The kettle is on and there is nowhere to be."},
		{"My friends would say that I", "Bring snacks to everything, even the movies."},
		{"Something I learned late", "You can leave a party without saying goodbye to all forty people."},
		{"I knew I had grown when", "I said no to a weekend away and slept instead."},
		{"The best advice I was ever given", "Ask one more question before you give your opinion."},
		{"A small thing I am grateful for", "The neighbor who waters my tomatoes."},
	}},
	{"Everyday", []SuggestedQuestion{
		{"A perfect slow morning", "Pancakes, the radio, and no plans before noon."},
		{"My ideal Sunday ends with", "Leftovers, a film we have both seen, and an early night."},
		{"My favorite kind of quiet", "Snow outside, soup on the stove."},
		{"A meal I cook for people I love", "My grandmother's dumplings. I make sixty; they are never enough."},
		{"A place I keep going back to", "A bench above the harbor, with a thermos."},
		{"The song I play on repeat", "“Dreams” by Fleetwood Mac, windows down."},
	}},
	{"Together", []SuggestedQuestion{
		{"Together we could", "Learn one dish from every street we have lived on."},
		{"I am looking for someone who", "Says what they mean, gently."},
		{"The way to my heart is", "Remembering what I said last Tuesday."},
		{"I feel loved when", "You save me the corner piece."},
		{"I show that I care by", "Turning up early, with coffee."},
		{"A tradition I would love to share", "A picnic on the first warm day, whatever else was planned."},
		{"In five years I hope we", "Still dance in the kitchen, in a bigger kitchen."},
	}},
	{"Fun", []SuggestedQuestion{
		{"Ask me about", "The summer I drove an ice cream truck."},
		{"I could talk for hours about", "Why every bridge in this city is where it is."},
		{"What makes me laugh until I cry", "Dogs that are surprised by their own sneeze."},
		{"A book or film that stayed with me", "“Paddington 2”. I will not be taking questions."},
		{"I changed my mind about", "Cilantro, camping, and my brother's taste in music."},
	}},
}

// setVoiceURLs sets the addresses of the recorded answers.
func setVoiceURLs(prompts []Prompt) {
	for _, p := range prompts {
		if p.Voice != nil {
			p.Voice.URL = fileURL(p.Voice.ID, blobs.Original)
		}
	}
}

func cleanPrompts(prompts []PromptChange) ([]PromptChange, error) {
	if len(prompts) > maxPrompts {
		return nil, fault.InvalidField("prompts", "Please answer at most 3 prompts.")
	}
	clean := []PromptChange{}
	for i, p := range prompts {
		question, err := text.Line(fmt.Sprintf("prompts[%d].question", i), p.Question, 120)
		if err != nil {
			return nil, err
		}
		answer, err := text.Lines(fmt.Sprintf("prompts[%d].answer", i), p.Answer, 250)
		if err != nil {
			return nil, err
		}
		if question == "" || answer == "" && p.VoiceID == nil {
			return nil, fault.InvalidField(fmt.Sprintf("prompts[%d]", i), "A prompt needs a question and an answer.")
		}
		clean = append(clean, PromptChange{question, answer, p.VoiceID})
	}
	return clean, nil
}

// changePrompts replaces the member's prompts, and deletes the recorded answers in removed.
// A recording that is in neither list was added after the device read the prompts, and stays
// with its question. It returns Conflict if its prompt would be the fourth. Ids in removed
// that are not recordings of the member are ignored. The caller must hold the lock of the
// member's row.
func changePrompts(ctx context.Context, tx pgx.Tx, id uuid.UUID, prompts []PromptChange, removed []uuid.UUID) error {
	prompts, err := cleanPrompts(prompts)
	if err != nil {
		return err
	}
	rows, _ := tx.Query(ctx, `
		SELECT
			question,
			answer,
			voice_id
		FROM member_prompts
		WHERE user_id = $1
			AND voice_id IS NOT NULL
		ORDER BY position`, id)
	unnamed, err := pgx.CollectRows(rows, pgx.RowToStructByPos[PromptChange])
	if err != nil {
		return err
	}
	for i, p := range prompts {
		if p.VoiceID == nil {
			continue
		}
		at := slices.IndexFunc(unnamed, func(old PromptChange) bool { return *old.VoiceID == *p.VoiceID })
		if at < 0 {
			return fault.InvalidField(fmt.Sprintf("prompts[%d].voiceId", i), "This recording is no longer on your profile.")
		}
		unnamed = slices.Delete(unnamed, at, at+1)
	}
	var unused []uuid.UUID
	for _, old := range unnamed {
		if slices.Contains(removed, *old.VoiceID) {
			unused = append(unused, *old.VoiceID)
		} else if prompts, err = withUnknownVoice(prompts, old); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, `DELETE FROM member_prompts WHERE user_id = $1`, id); err != nil {
		return err
	}
	if err := DeleteFiles(ctx, tx, unused...); err != nil {
		return err
	}
	return insertPrompts(ctx, tx, id, prompts)
}

// withUnknownVoice adds the recording of a stored prompt to the prompt with the same
// question, or adds the stored prompt to the end.
func withUnknownVoice(prompts []PromptChange, old PromptChange) ([]PromptChange, error) {
	for i, p := range prompts {
		if p.Question == old.Question && p.VoiceID == nil {
			prompts[i].VoiceID = old.VoiceID
			return prompts, nil
		}
	}
	if len(prompts) == maxPrompts {
		return nil, fault.New(fault.Conflict, fmt.Sprintf("Your profile has a newer recorded answer to “%s”. Please remove one of these prompts to make room for it, and save again.", old.Question)).
			WithField("prompts")
	}
	return append(prompts, old), nil
}

func insertPrompts(ctx context.Context, tx pgx.Tx, id uuid.UUID, prompts []PromptChange) error {
	for i, p := range prompts {
		_, err := tx.Exec(ctx, `
			INSERT INTO member_prompts (user_id, position, question, answer, voice_id)
			VALUES ($1, $2, $3, $4, $5)`, id, i+1, p.Question, p.Answer, p.VoiceID)
		if err != nil {
			return err
		}
	}
	return nil
}

// SetPromptVoice makes a file of the member the recorded answer to the question, and calls
// the Watcher. It adds the prompt if the member has not answered the question, and deletes
// and returns the recording that it replaces. It returns Invalid with the field question,
// and Conflict if the member has answered three other questions. The caller must hold the
// lock of the member's row, and removes the blobs of deleted files after the commit.
func (s *Service) SetPromptVoice(ctx context.Context, tx pgx.Tx, member, file uuid.UUID, question string) (deleted []uuid.UUID, err error) {
	if question, err = text.Line("question", question, 120); err != nil {
		return nil, err
	}
	if question == "" {
		return nil, fault.InvalidField("question", "Please choose a question.")
	}
	rows, _ := tx.Query(ctx, `
		UPDATE member_prompts p
		SET voice_id = $3
		FROM (
			SELECT position, voice_id
			FROM member_prompts
			WHERE user_id = $1
				AND question = $2
			ORDER BY position
			LIMIT 1
		) old
		WHERE p.user_id = $1
			AND p.position = old.position
		RETURNING old.voice_id`, member, question, file)
	replaced, err := pgx.CollectRows(rows, pgx.RowTo[*uuid.UUID])
	if err != nil {
		return nil, err
	}
	switch {
	case len(replaced) == 0:
		err = addPromptVoice(ctx, tx, member, file, question)
	case replaced[0] != nil:
		deleted = []uuid.UUID{*replaced[0]}
		err = DeleteFiles(ctx, tx, deleted...)
	}
	if err != nil {
		return nil, err
	}
	return deleted, s.notifyWatcher(ctx, tx, member)
}

// addPromptVoice adds a prompt with a recorded answer at the first free position.
func addPromptVoice(ctx context.Context, tx pgx.Tx, member, file uuid.UUID, question string) error {
	tag, err := tx.Exec(ctx, `
		INSERT INTO member_prompts (user_id, position, question, answer, voice_id)
		SELECT $1, free.position, $2, '', $3
		FROM generate_series(1, $4) AS free (position)
		WHERE NOT EXISTS (
			SELECT FROM member_prompts p
			WHERE p.user_id = $1
				AND p.position = free.position)
		ORDER BY free.position
		LIMIT 1`, member, question, file, maxPrompts)
	if err == nil && tag.RowsAffected() == 0 {
		return fault.New(fault.Conflict, "You have answered three prompts already. Please remove one and save first.")
	}
	return err
}

// FindPromptVoice returns the recorded answer file of the member, or NotFound.
func (s *Service) FindPromptVoice(ctx context.Context, member, file uuid.UUID) (Recording, error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT
			'' AS slot,
			'' AS caption,
			`+mediaFileColumns+`
		FROM member_prompts p
		JOIN files f ON f.id = p.voice_id
		WHERE p.user_id = $1
			AND p.voice_id = $2`, member, file)
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[mediaRow])
	return row.recording(), pg.Fault(err)
}
