package figures

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"heartward/api/moderation"
	"heartward/api/platform/pg"
)

// ReasonOutcomes are the decisions on members' reports with a reason. A reason whose reports are dismissed more often than others may
// show a bias.
type ReasonOutcomes struct {
	Reason    moderation.Reason `json:"reason" enum:"underage,threat,assault,nonconsensual_images,scam,hate,harassment,fake_profile,not_single,inappropriate,spam,other"`
	Decided   int               `json:"decided"`
	Dismissed int               `json:"dismissed" doc:"Without consequences"`
	Warned    int               `json:"warned"`
	Removed   int               `json:"removed" doc:"Parts of the profile were removed"`
	Suspended int               `json:"suspended"`
	Banned    int               `json:"banned" doc:"Members who are not of age included"`
}

// add adds reports with an outcome, which is an action of a moderation.Decision.
func (o *ReasonOutcomes) add(outcome string, reports int) {
	o.Decided += reports
	switch outcome {
	case moderation.NoAction:
		o.Dismissed += reports
	case moderation.Warn:
		o.Warned += reports
	case moderation.Remove:
		o.Removed += reports
	case moderation.Suspend:
		o.Suspended += reports
	case moderation.Ban, moderation.NotOfAge:
		o.Banned += reports
	}
}

// readOutcomes returns the outcomes of the days from one until the end of another, which is today, by reason, those with
// most decisions first. Today and yesterday are counted unless they are stored, as in readDays.
func readOutcomes(ctx context.Context, db pg.DB, from, to time.Time) ([]ReasonOutcomes, error) {
	rows, _ := db.Query(ctx, `
		SELECT reason, outcome, sum(reports)::int
		FROM daily_outcomes
		WHERE day >= $1::date
		GROUP BY reason, outcome`, from)
	counted, err := pgx.CollectRows(rows, pgx.RowToStructByPos[moderation.OutcomeCount])
	if err != nil {
		return nil, pg.Fault(err)
	}
	stored, err := selectDays(ctx, db, from)
	if err != nil {
		return nil, err
	}
	for _, day := range []time.Time{to.AddDate(0, 0, -1), to} {
		if stored[day.Format(time.DateOnly)] != nil || day.Before(from) {
			continue
		}
		fresh, err := moderation.CountOutcomes(ctx, db, day, day.AddDate(0, 0, 1))
		if err != nil {
			return nil, err
		}
		counted = append(counted, fresh...)
	}
	reasons := map[moderation.Reason]*ReasonOutcomes{}
	for _, c := range counted {
		if reasons[c.Reason] == nil {
			reasons[c.Reason] = &ReasonOutcomes{Reason: c.Reason}
		}
		reasons[c.Reason].add(c.Outcome, c.Reports)
	}
	list := []ReasonOutcomes{}
	for _, o := range reasons {
		list = append(list, *o)
	}
	slices.SortFunc(list, func(a, b ReasonOutcomes) int {
		return cmp.Or(cmp.Compare(b.Decided, a.Decided), cmp.Compare(a.Reason, b.Reason))
	})
	return list, nil
}

// insertOutcomes counts and stores the outcomes of a day, unless they are stored.
func insertOutcomes(ctx context.Context, tx pgx.Tx, day time.Time) error {
	counts, err := moderation.CountOutcomes(ctx, tx, day, day.AddDate(0, 0, 1))
	if err != nil {
		return err
	}
	for _, c := range counts { // sorted, so that two jobs cannot deadlock
		_, err := tx.Exec(ctx, `
			INSERT INTO daily_outcomes (day, reason, outcome, reports)
			VALUES ($1::date, $2, $3, $4)
			ON CONFLICT DO NOTHING`, day, c.Reason, c.Outcome, c.Reports)
		if err != nil {
			return pg.Fault(err)
		}
	}
	return nil
}
