package moderation

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{
		"blocks", "reports", "message_flags", "evidence_files", "audit_log", "sanctions", "appeals",
		"address_blocks", "bans", "banned_photos", "departed_members", "departed_photos", "report_additions", "hidden_statements",
		"staff_notes", "photo_hashes", "lookalikes",
	},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "address_blocks", What: "blocked addresses: keyed hash and label", End: feature.WithAccount().Or("when the member removes one")},
		{Table: "blocks", End: feature.With("users", "the account of either member").Or("when the member takes the block back")},
		{Table: "reports", What: "reports and issues, without texts and evidence, with ids while there is an account", End: feature.ForEver("later decisions depend on earlier ones")},
		{
			Table: "reports", What: "evidence of reports, with files", Columns: []string{"evidence"},
			Rows: `status <> 'pending' AND evidence <> '{}'`, End: reportEnd, Run: DeleteOldEvidence,
		},
		{
			Table: "reports", What: "texts of reports and issues, and the addresses of visitors for their answers",
			Columns: []string{"description", "reporter_address"},
			Rows:    `status <> 'pending' AND description <> ''`, End: reportEnd, Run: DeleteOldTexts,
		},
		{Table: "message_flags", What: "flags, without texts, with ids while there is an account", End: feature.ForEver("later decisions depend on earlier ones")},
		{
			Table: "message_flags", What: "flagged texts, with files", Columns: []string{"content"},
			Rows: `NOT open AND content <> ''`, End: flagEnd, Run: DeleteOldFlaggedContent,
		},
		{Table: "evidence_files", End: feature.ByAction("with the evidence or the flagged text")},
		{
			Table: "evidence_files", Files: "file_id", What: "files of undecided reports",
			Rows: `subject_id IN (SELECT id FROM reports WHERE ` + evidenceFilesEnd.Due() + `)`,
			End:  feature.When("with the evidence or the flagged text, and " + evidenceFilesEnd.String() + " at most"), Run: DeleteOldEvidenceFiles,
		},
		{Table: "audit_log", What: "audit log", End: feature.ForEver("it shows what admins did; it has ids, and reasons in their words")},
		{Table: "sanctions", What: "sanctions, with the explanation for the member", End: feature.WithAccount()},
		{Table: "appeals", What: "appeals", End: feature.WithAccount()},
		{
			Table: "appeals", What: "texts of appeals", Columns: []string{"content"},
			Rows: `content <> ''`, End: appealEnd, Run: DeleteOldAppeals,
		},
		{
			Table: "bans", What: "bans: keyed hashes of the address and of the photos; they outlive the account, so that a ban cannot be evaded",
			End: feature.At("expires_at", feature.In(banTime)+" after the ban").Or("when it is taken back"),
		},
		{Table: "banned_photos", End: feature.With("bans", "the ban")},
		{Table: "staff_notes", What: "notes of moderators on accounts and cases", End: staffNoteEnd.Or("with the account")},
		{
			Table: "departed_members", What: "former members with a pending report: keyed hashes of the address and of the photos, so that a ban is still possible",
			End: feature.After(departedTime, "created_at", "the deletion").Or("with the decision on the last report about them"),
		},
		{Table: "departed_photos", End: feature.With("departed_members", "the former member")},
		{Table: "photo_hashes", What: "keyed hashes of photos, to find second accounts of blocked members", End: feature.With("member_media", "the photo")},
		{Table: "lookalikes", What: "possible second accounts of blocked members", End: feature.With("users", "the account of either")},
		{
			Table: "report_additions", What: "what reporters added to their open reports, with evidence",
			End: feature.After(90*feature.Day, "(SELECT r.reviewed_at FROM reports r WHERE r.id = report_id)", "the decision"),
		},
		{
			Table: "hidden_statements", What: "statements of members whose profiles a report hid",
			Rows: `NOT EXISTS (SELECT FROM reports r WHERE r.reported_user_id = user_id AND r.status = 'pending')`,
			End:  feature.After(180*feature.Day, "created_at", "the statement, while a report about the member is open longer"),
		},
	},
}
