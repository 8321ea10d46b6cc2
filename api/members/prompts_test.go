package members_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/web"
)

const promptVoice = "/api/users/me/prompts/voice"

// answer records an answer to the question.
func (w *env) answer(actor uuid.UUID, question, file string) members.Recording {
	w.Helper()
	response := w.add(actor, "PUT", promptVoice, map[string]any{
		"question": question, "uploadId": recorded(w, file), "durationMs": 1200, "waveform": []int{0, 100},
	})
	require.Equal(w, 200, response.Code, "%s", response.Body)
	return decode[members.Recording](w, response)
}

func TestSetPromptVoice_StoresReplacesAndDeletes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	require.Equal(t, 200, w.call(ada, "PATCH", "/api/users/me", `{"prompts":[{"question":"Q","answer":"In writing"}]}`).Code)
	first := w.answer(ada, "Q", "voice.webm")
	require.Equal(t, members.Recording{
		ID: first.ID, URL: "/files/" + first.ID.String() + "/media", MimeType: "audio/webm", DurationMs: 1200, Waveform: []int{0, 100},
	}, first)
	another := w.answer(ada, "Another", "voice.webm")
	want := []members.Prompt{{Question: "Q", Answer: "In writing", Voice: &first}, {Question: "Another", Voice: &another}}
	require.Equal(t, want, w.me(ada).Prompts)
	require.Equal(t, want, decode[members.PublicMember](t, w.call(bob, "GET", "/api/users/"+ada.String(), "")).Prompts)
	require.Equal(t, 200, w.call(bob, "GET", first.URL, "").Code)

	second := w.answer(ada, "Q", "voice.mp4")
	require.Equal(t, 404, w.call(ada, "GET", first.URL, "").Code, "replaced")
	require.Equal(t, 2, w.countRows("files"))

	patch := fmt.Sprintf(`{"prompts":[{"question":"Another","answer":"Written too","voiceId":"%s"},{"question":"Q","answer":"In writing"}],"removedVoiceIds":["%s"]}`, another.ID, second.ID)
	require.Equal(t, 200, w.call(ada, "PATCH", "/api/users/me", patch).Code)
	require.Equal(t, []members.Prompt{{Question: "Another", Answer: "Written too", Voice: &another}, {Question: "Q", Answer: "In writing"}}, w.me(ada).Prompts)
	require.Equal(t, 404, w.call(ada, "GET", second.URL, "").Code, "removed")
	require.Equal(t, 200, w.call(bob, "GET", another.URL, "").Code)

	w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, ada, bob)
	require.Equal(t, 404, w.call(bob, "GET", another.URL, "").Code, "blocked")
	w.Exec(`DELETE FROM blocks`)
	require.Equal(t, 200, w.call(ada, "PATCH", "/api/users/me", `{"paused":true}`).Code)
	require.Equal(t, 404, w.call(bob, "GET", another.URL, "").Code, "as hidden as the profile")
	w.Exec(`DELETE FROM users WHERE id = $1`, ada)
	require.Equal(t, 0, w.countRows("files"))
	require.Equal(t, 0, w.countRows("member_prompts"))
}

func TestChange_OlderDraftDoesNotDeleteNewerRecordings(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	old := w.answer(ada, "Q", "voice.webm")
	voice := w.answer(ada, "Q", "voice.webm")
	other := w.answer(ada, "Another", "voice.webm")
	patch := func(body string, args ...any) int {
		return w.call(ada, "PATCH", "/api/users/me", fmt.Sprintf(body, args...)).Code
	}

	require.Equal(t, 200, patch(`{"prompts":[{"question":"Q","answer":"Written"}],"removedVoiceIds":["%s","%s"]}`, old.ID, uuid.New()))
	both := []members.Prompt{{Question: "Q", Answer: "Written", Voice: &voice}, {Question: "Another", Voice: &other}}
	require.Equal(t, both, w.me(ada).Prompts, "the draft was written before the recordings")

	full := `{"prompts":[{"question":"Q","answer":"A"},{"question":"R","answer":"A"},{"question":"S","answer":"A"}]%s}`
	refused := w.call(ada, "PATCH", "/api/users/me", fmt.Sprintf(full, ""))
	require.Equal(t, 409, refused.Code, "no room for the prompt with the recording")
	require.Equal(t, "body.prompts", decode[web.Problem](t, refused).Errors[0].Location)
	require.Equal(t, both, w.me(ada).Prompts)
	require.Equal(t, 200, patch(full, fmt.Sprintf(`,"removedVoiceIds":["%s"]`, other.ID)))
	require.Equal(t, &voice, w.me(ada).Prompts[0].Voice)
	require.Equal(t, 404, w.call(ada, "GET", other.URL, "").Code, "removed by name")

	require.Equal(t, 200, patch(`{"prompts":null}`))
	require.Equal(t, []members.Prompt{{Question: "Q", Answer: "A", Voice: &voice}}, w.me(ada).Prompts)
	require.Equal(t, 200, patch(`{"prompts":[],"removedVoiceIds":["%s"]}`, voice.ID))
	require.Empty(t, w.me(ada).Prompts)
	require.Equal(t, 0, w.countRows("files"))
}

func TestSetPromptVoice_RepeatedCallReturnsFirstResult(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	body := fmt.Sprintf(`{"question":"Q","uploadId":"%s"}`, w.uploaded(ada, recorded(t, "voice.webm")))
	first := w.call(ada, "PUT", promptVoice, body)
	require.Equal(t, 200, first.Code, "%s", first.Body)
	require.Equal(t, decode[members.Recording](t, first), decode[members.Recording](t, w.call(ada, "PUT", promptVoice, body)))
	require.Len(t, w.me(ada).Prompts, 1)
}

func TestSetPromptVoice_Errors(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	for name, body := range map[string]map[string]any{
		"uploadId": {"question": "Q", "uploadId": recorded(t, "video.webm")},
		"question": {"question": " ", "uploadId": recorded(t, "voice.webm")},
		"waveform": {"question": "Q", "uploadId": recorded(t, "voice.webm"), "waveform": []int{101}},
	} {
		response := w.add(ada, "PUT", promptVoice, body)
		require.Equal(t, 422, response.Code, name)
		require.Equal(t, "body."+name, decode[web.Problem](t, response).Errors[0].Location)
	}
	foreign := w.uploaded(bob, recorded(t, "voice.webm"))
	require.Equal(t, 404, w.call(ada, "PUT", promptVoice, fmt.Sprintf(`{"question":"Q","uploadId":"%s"}`, foreign)).Code, "an upload of another member")
	require.Equal(t, 0, w.countRows("files"))
	voice := w.answer(bob, "Q", "voice.webm")
	for _, id := range []uuid.UUID{voice.ID, uuid.New()} {
		response := w.call(ada, "PATCH", "/api/users/me", fmt.Sprintf(`{"prompts":[{"question":"Q","answer":"A","voiceId":"%s"}]}`, id))
		require.Equal(t, 422, response.Code)
		require.Equal(t, "body.prompts[0].voiceId", decode[web.Problem](t, response).Errors[0].Location)
	}
	require.Empty(t, w.me(ada).Prompts)
	duplicate := fmt.Sprintf(`{"prompts":[{"question":"Q","answer":"","voiceId":"%[1]s"},{"question":"P","answer":"","voiceId":"%[1]s"}]}`, voice.ID)
	require.Equal(t, 422, w.call(bob, "PATCH", "/api/users/me", duplicate).Code)
	for _, question := range []string{"P", "R"} {
		w.answer(bob, question, "voice.webm")
	}
	fourth := w.add(bob, "PUT", promptVoice, map[string]any{"question": "S", "uploadId": recorded(t, "voice.webm")})
	require.Equal(t, 409, fourth.Code, "%s", fourth.Body)
	require.Equal(t, 3, w.countRows("files"))
}
