package moderation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/queue"
)

// Only one admin can have a report open. A decision ends the claim, and the error of another decision names the first.
func TestOpenReport_IsForOneAdminAtATime(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mo, uma := w.Admin("Mo Moss"), w.Admin("Uma Moss")
	id := w.report(w.Member("Ann Moss"), urgent(w.Member("Bob Moss"))).ID
	_, err := w.s.OpenReport(t.Context(), mo.ID, id, "The queue")
	require.NoError(t, err)
	_, err = w.s.OpenReport(t.Context(), uma.ID, id, "The queue")
	require.Equal(t, "claimed", fault.From(err).Code)
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log WHERE admin_id = $1`, uma.ID), "nothing was shown")

	require.NoError(t, w.decide(mo, id, moderation.Warn))
	require.Zero(t, w.Count(`SELECT count(*) FROM queue_claims`))
	err = w.decide(uma, id, moderation.Ban)
	testkit.RequireKind(t, err, fault.Conflict)
	require.Contains(t, err.Error(), "Mo has decided this already: warned.")
	require.Equal(t, map[string]any{"name": "Mo", "decision": queue.Decision("warn")}, fault.From(err).Parameters())
	_, err = w.s.OpenReport(t.Context(), uma.ID, id, "To see the decision")
	require.NoError(t, err, "a decided report is nobody's")
}
