package moderation

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/archive"
)

const exportBlocks = `
SELECT to_json(r)
FROM (
	SELECT
		blocked_id,
		created_at
	FROM blocks
	WHERE blocker_id = @viewer
		AND entry_id IS NULL
	ORDER BY created_at
) r`

// exportAddressBlocks omits the members who have the addresses, whom the member is not told.
const exportAddressBlocks = `
SELECT to_json(r)
FROM (
	SELECT
		id,
		label,
		created_at
	FROM address_blocks
	WHERE blocker_id = @viewer
	ORDER BY created_at
) r`

const exportReports = `
SELECT to_json(r)
FROM (
	SELECT
		id,
		coalesce(filed_reason, reason) AS reason,
		description,
		place,
		content_id,
		issue_kind,
		priority,
		status,
		CASE
			WHEN status = 'pending' THEN NULL
			WHEN action_taken = 'no_action' THEN 'no_action'
			ELSE 'action'
		END AS outcome,
		created_at
	FROM reports
	WHERE reporter_id = @viewer
	ORDER BY created_at
) r`

// exportDecisions selects the decisions about the member, without the report or message of
// each, which would reveal the reporter.
const exportDecisions = `
SELECT to_json(r)
FROM (
	SELECT
		s.kind,
		s.suspended_until,
		s.explanation,
		s.ground,
		s.facts_from,
		s.automation,
		s.parts,
		@reasons::jsonb -> s.id::text AS reasons,
		s.deletes_at,
		s.created_at,
		(SELECT later.created_at FROM sanctions later WHERE later.id = s.reversed_by) AS reversed_at
	FROM sanctions s
	WHERE s.user_id = @viewer
	ORDER BY s.created_at, s.id
) r`

const exportAdditions = `
SELECT to_json(r)
FROM (
	SELECT
		a.report_id,
		a.reason,
		a.description,
		a.created_at
	FROM report_additions a
	JOIN reports r ON r.id = a.report_id
	WHERE r.reporter_id = @viewer
	ORDER BY a.created_at
) r`

const exportStatements = `
SELECT to_json(r)
FROM (
	SELECT
		content,
		created_at
	FROM hidden_statements
	WHERE user_id = @viewer
	ORDER BY created_at
) r`

const exportAppeals = `
SELECT to_json(r)
FROM (
	SELECT
		content,
		created_at,
		outcome,
		explanation,
		decided_at
	FROM appeals
	WHERE user_id = @viewer
	ORDER BY created_at
) r`

// exportAnswers selects the member's answers to the question about a received message.
const exportAnswers = `
SELECT to_json(r)
FROM (
	SELECT
		message_id,
		conversation_id,
		seq,
		answer,
		answered_at
	FROM message_flags
	WHERE receiver_id = @viewer
		AND answer IS NOT NULL
	ORDER BY answered_at
) r`

// writeDecisions writes the decisions about the member with the statements of reasons that the member sees in the app.
func writeDecisions(ctx context.Context, w *archive.Writer) error {
	sanctions, err := selectStatedSanctions(ctx, w.DB(), w.Member())
	if err != nil {
		return err
	}
	reasons := map[uuid.UUID]*Reasons{}
	for _, s := range sanctions {
		reasons[s.ID] = s.reasons()
	}
	return w.WriteRowsWith(ctx, "safety/decisions.json", exportDecisions, pgx.NamedArgs{"reasons": reasons})
}

// Export writes the member's blocks, blocked addresses, reports with what was added and statements, the answers about received messages, the
// decisions about the member, and the member's appeals against them.
func Export(ctx context.Context, w *archive.Writer) error {
	for name, sql := range map[string]string{
		"safety/blocks.json": exportBlocks, "safety/address-blocks.json": exportAddressBlocks, "safety/reports.json": exportReports,
		"safety/appeals.json": exportAppeals, "safety/answers.json": exportAnswers,
		"safety/report-additions.json": exportAdditions, "safety/statements.json": exportStatements,
	} {
		if err := w.WriteRows(ctx, name, sql); err != nil {
			return err
		}
	}
	return writeDecisions(ctx, w)
}
