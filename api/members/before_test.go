package members_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
)

const changedElsewhere = "You changed this on another device meanwhile."

// A text that a device changed while it was offline does not replace what another device has written since.
func TestChange_OfflineTextsKeepNewerOnes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	for _, c := range []struct {
		name, body string
		status     int
		bio        string
	}{
		{"the first text", `{"bio": "Slow mornings", "before": {"bio": ""}}`, 200, "Slow mornings"},
		{"again, because its response was lost", `{"bio": " Slow mornings ", "before": {"bio": ""}}`, 200, "Slow mornings"},
		{"from before", `{"bio": "Fast evenings", "occupation": "Baker", "before": {"bio": "", "occupation": ""}}`, 409, "Slow mornings"},
		{"cleared from before", `{"bio": null, "before": {"bio": ""}}`, 409, "Slow mornings"},
		{"after the newer one was read", `{"bio": "Fast evenings", "before": {"bio": "Slow mornings"}}`, 200, "Fast evenings"},
		{"of a device that sends no text before", `{"bio": "Noon"}`, 200, "Noon"},
	} {
		response := w.call(ada, "PATCH", "/api/users/me", c.body)
		require.Equal(t, c.status, response.Code, "%s: %s", c.name, response.Body)
		if c.status == 409 {
			assert.Contains(t, response.Body.String(), changedElsewhere)
			assert.Contains(t, response.Body.String(), `"changed_elsewhere"`)
		}
		me := w.me(ada)
		assert.Equal(t, c.bio, me.Bio, c.name)
		assert.Empty(t, me.Occupation, "nothing of a refused change is stored")
	}
}

func TestChange_OfflinePromptsKeepNewerOnes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	for _, c := range []struct {
		name, body string
		status     int
		answer     string
	}{
		{"the first answer", `{"prompts": [{"question": "Q", "answer": "plant"}], "before": {"prompts": []}}`, 200, "plant"},
		{"again", `{"prompts": [{"question": "Q", "answer": "plant"}], "before": {"prompts": []}}`, 200, "plant"},
		{"from before", `{"prompts": [{"question": "Q", "answer": "bake"}], "before": {"prompts": []}}`, 409, "plant"},
		{"after the newer one was read", `{"prompts": [{"question": "Q", "answer": "bake"}], "before": {"prompts": [{"question": "Q", "answer": "plant"}]}}`, 200, "bake"},
	} {
		response := w.call(ada, "PATCH", "/api/users/me", c.body)
		require.Equal(t, c.status, response.Code, "%s: %s", c.name, response.Body)
		assert.Equal(t, []members.Prompt{{Question: "Q", Answer: c.answer}}, w.me(ada).Prompts, c.name)
	}
}
