package members

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{
		"users", "member_activity", "active_days", "files", "member_media", "member_prompts", "town_changes",
		"system_settings",
	},
	Export: Export,
	Expired: []feature.Expired{
		{Table: "town_changes", Where: `changed_at < now() - CASE WHEN is_visit THEN interval '7 days' ELSE interval '1 day' END`},
	},
	Ended: []feature.Ended{
		{What: "ended visits", Run: DeleteEndedVisits},
		{What: "ends of suspensions", Run: EndSuspensions},
	},
}
