package moderation

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{
		"blocks", "reports", "message_flags", "evidence_files", "audit_log", "sanctions", "appeals",
		"address_blocks", "bans", "banned_photos",
	},
	Export: Export,
	Expired: []feature.Expired{
		{Table: "bans", Where: `expires_at < now()`},
	},
	Ended: []feature.Ended{
		{What: "evidence", Run: DeleteOldEvidence},
		{What: "issues", Run: DeleteOldIssues},
		{What: "files of evidence", Run: DeleteOldEvidenceFiles},
		{What: "flagged texts", Run: DeleteOldFlaggedContent},
		{What: "texts of appeals", Run: DeleteOldAppeals},
	},
}
