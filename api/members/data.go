package members

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{
		"users", "member_activity", "active_days", "files", "member_media", "member_prompts", "town_changes",
		"system_settings", "removed_parts",
	},
	Export: Export,
	Retention: []feature.Retention{
		{Table: "users", What: "accounts", End: feature.ByAction("14 days after their members asked for it")},
		{
			Table: "users", What: "towns of visits", Columns: []string{"visit_city", "visit_state", "visit_lat", "visit_lon", "visit_until"},
			End: visitEnd, Run: DeleteEndedVisits,
		},
		{
			Table: "users", What: "ends of suspensions", Columns: []string{"suspended_until"},
			End: suspensionEnd, Run: EndSuspensions,
		},
		{Table: "member_activity", End: feature.WithAccount()},
		{Table: "active_days", What: "on which days a member was active", End: feature.ByAction("1 hour after the day, when its figures are stored")},
		{Table: "files", End: feature.WithAccount().Or("when what shows the file is deleted")},
		{Table: "member_media", End: feature.WithAccount().Or("when the member removes it from the profile")},
		{Table: "member_media", Files: "file_id", What: "photos, voice introductions and videos of profiles", End: feature.ByAction("with the account, or when the member removes or replaces them, unless they are evidence")},
		{Table: "member_prompts", End: feature.WithAccount().Or("when the member removes it from the profile")},
		{Table: "member_prompts", Files: "voice_id", What: "spoken answers of profiles", End: feature.ByAction("with the account, or when the member removes or replaces them")},
		{Table: "removed_parts", What: "parts of profiles that moderators removed, with files", End: removedEnd, Run: DeleteRemovedParts},
		{Table: "removed_parts", Files: "file_id", What: "pictures and recordings that moderators removed from profiles", End: feature.ByAction("with the removed part")},
		{Table: "town_changes", Rows: `is_visit`, What: "times of visits", End: feature.After(7*feature.Day, "changed_at", "a visit was set")},
		{Table: "town_changes", Rows: `NOT is_visit`, What: "times of changes of the town", End: feature.After(feature.Day, "changed_at", "a change of the own town")},
		{Table: "system_settings", What: "settings of the site", End: feature.ForEver("each has its last value only")},
	},
}
