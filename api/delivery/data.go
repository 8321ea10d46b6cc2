package delivery

import (
	"context"

	"heartward/api/platform/archive"
	"heartward/api/platform/feature"
)

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{"mail_deliveries", "mail_suppressions", "mail_rates"},
	Export: export,
	Ended: []feature.Ended{
		{What: "mails that will not be sent", Run: EndStale},
	},
	Retention: []feature.Retention{
		{
			Table: "mail_deliveries", What: "mails: kind, time, hash of the address, answer of the mail server",
			End: feature.After(30*feature.Day, "changed_at", "the last change"),
		},
		{
			Table: "mail_suppressions", What: "addresses that take no mail: hash, reason, answer of the mail server",
			End: feature.After(180*feature.Day, "changed_at", "the last mail that failed").Or("when a mail arrives"),
		},
		{Table: "mail_rates", What: "rates of mail by domain", End: feature.After(feature.Day, "tat", "the last mail to the domain")},
	},
}

const exportDeliveries = `
SELECT
	r.id::text,
	to_json(r)
FROM (
	SELECT
		id,
		kind,
		state,
		outcome,
		status,
		answer,
		attempts,
		created_at,
		changed_at
	FROM mail_deliveries
	WHERE user_id = @viewer
		AND id > @after::uuid
	ORDER BY id
	LIMIT @limit
) r`

const exportSuppressions = `
SELECT
	r.reason || r.kind,
	to_json(r)
FROM (
	SELECT
		reason,
		kind,
		score,
		status,
		answer,
		since,
		changed_at,
		checking_at
	FROM mail_suppressions
	WHERE user_id = @viewer
		AND reason || kind > @after
	ORDER BY reason || kind
	LIMIT @limit
) r`

// export writes what became of the mails to the member.
func export(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteList(ctx, "notifications/mails.json", "00000000-0000-0000-0000-000000000000", exportDeliveries, nil); err != nil {
		return err
	}
	return w.WriteList(ctx, "notifications/mail-problems.json", "", exportSuppressions, nil)
}
