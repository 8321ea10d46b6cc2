package members

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// Changes is an edit of a member's own profile. Missing fields are not changed; null clears
// every field except the name and the age. The table of fields has the limits.
type Changes struct {
	FullName             Field[string]         `json:"fullName" required:"false" maxLength:"200"`
	Age                  Field[int]            `json:"age" required:"false" doc:"18 to 99; replaces an exact birth date"`
	BirthDate            Field[string]         `json:"birthDate" required:"false" maxLength:"10" doc:"Year-month-day"`
	Gender               Field[string]         `json:"gender" required:"false"`
	InterestedIn         Field[[]string]       `json:"interestedIn" required:"false" maxItems:"10"`
	HeightCm             Field[int]            `json:"heightCm" required:"false"`
	City                 Field[string]         `json:"city" required:"false"`
	State                Field[string]         `json:"state" required:"false"`
	IntentionTags        Field[[]string]       `json:"intentionTags" required:"false" maxItems:"20"`
	Bio                  Field[string]         `json:"bio" required:"false"`
	LoveReflection       Field[string]         `json:"loveReflection" required:"false"`
	HasChildren          Field[bool]           `json:"hasChildren" required:"false"`
	WantsChildren        Field[bool]           `json:"wantsChildren" required:"false"`
	Education            Field[string]         `json:"education" required:"false"`
	Occupation           Field[string]         `json:"occupation" required:"false"`
	Religion             Field[string]         `json:"religion" required:"false" doc:"The one that counts can change once in 30 days"`
	ReligionCounts       Field[bool]           `json:"religionCounts" required:"false" doc:"Whether the religion counts in scores and in the filter by religion; null is false"`
	Prompts              Field[[]PromptChange] `json:"prompts" required:"false" maxItems:"3"`
	RemovedVoiceIDs      Field[[]uuid.UUID]    `json:"removedVoiceIds" required:"false" maxItems:"20" doc:"With prompts: the recorded answers to delete; others stay"`
	PersonalityTraits    Field[[]string]       `json:"personalityTraits" required:"false" doc:"From the profile options"`
	LifestylePreferences Field[[]string]       `json:"lifestylePreferences" required:"false" doc:"From the profile options"`
	RelationshipGoals    Field[[]string]       `json:"relationshipGoals" required:"false" doc:"From the profile options"`
	Pronouns             Field[[]string]       `json:"pronouns" required:"false" doc:"From the profile options"`
	Languages            Field[[]string]       `json:"languages" required:"false" doc:"From the profile options"`
	Drinking             Field[[]string]       `json:"drinking" required:"false" doc:"One of the profile options"`
	Smoking              Field[[]string]       `json:"smoking" required:"false" doc:"One of the profile options"`
	Pets                 Field[[]string]       `json:"pets" required:"false" doc:"From the profile options"`

	Paused           Field[bool]      `json:"paused" required:"false" doc:"Whether the member is hidden from new members and cannot like; null is false"`
	PausedUntil      Field[time.Time] `json:"pausedUntil" required:"false" doc:"When the pause ends by itself, at most a year from now; null for no end. A pause without it keeps its end"`
	FirstNameOnly    Field[bool]      `json:"firstNameOnly" required:"false" doc:"Whether members without a match see only the first name; null is false"`
	Incognito        Field[bool]      `json:"incognito" required:"false" doc:"Whether the member is shown only to those whom they like; null is false"`
	HideOnline       Field[bool]      `json:"hideOnline" required:"false" doc:"Whether online state and last activity are hidden in both directions; null is false"`
	HideReadReceipts Field[bool]      `json:"hideReadReceipts" required:"false" doc:"Whether read receipts are hidden in both directions; null is false"`
	HidePremium      Field[bool]      `json:"hidePremium" required:"false" doc:"Whether others see neither the Premium badge nor those of tiers; null is false"`
	HideBadges       Field[bool]      `json:"hideBadges" required:"false" doc:"Whether others see none of the member's badges; null is false"`
	Welcomed         Field[bool]      `json:"welcomed" required:"false" doc:"Whether the guided first run is complete; null is false. True ends it"`
	StartStep        Field[string]    `json:"startStep" required:"false" doc:"The question of the guided first run that the member has reached: gender, seek, photo or prompt. An earlier one than the stored one changes nothing, and neither does any once the first run is over"`

	Before *Texts `json:"before,omitempty" doc:"The texts before the change, as the device knew them. If one differs from what is stored, nothing is changed"`
}

// TransformSchema adds the limits of the fields.
func (Changes) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return describeLimits(s)
}

// Change edits the member's own profile and returns the changed profile. Another name or birth date ends the
// verification. It returns Invalid with the field of an invalid value and for a second or large change of the birth
// date, and then changes nothing; RateLimited for a fifth change of town within 24 hours, and for too many changes of
// the religion or the gender; and Conflict if the prompts leave no room for one with a recording that they do not know,
// or if a text was changed since Before.
func (s *Service) Change(ctx context.Context, id uuid.UUID, changes Changes) (Me, error) {
	old, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (sensitive, error) {
		if err := changes.lockUnchanged(ctx, tx, id); err != nil {
			return sensitive{}, err
		}
		old, err := selectSensitive(ctx, tx, id)
		if err != nil {
			return old, err
		}
		if err := changes.store(ctx, tx, id, old); err != nil {
			return old, err
		}
		if err := old.applyRules(ctx, tx, id); err != nil {
			return old, err
		}
		return old, s.notifyWatcher(ctx, tx, id)
	})
	if err != nil {
		return Me{}, constraintFault(err)
	}
	s.notifyHidingChange(ctx, id, changes, old)
	if changes.haveTown() {
		s.notifyTownChange(id)
	}
	return s.Me(ctx, id)
}

// store writes the changes of a member whose row is locked and who was old before.
func (c Changes) store(ctx context.Context, tx pgx.Tx, id uuid.UUID, old sensitive) error {
	listed, err := ListedTags(ctx, tx)
	if err != nil {
		return err
	}
	chosen, err := selectOwnTags(ctx, tx, id)
	if err != nil {
		return err
	}
	update, err := c.withoutName(old.name).columns(append(listed, chosen...))
	if err != nil {
		return err
	}
	if c.Age.Sent && c.BirthDate.Value == nil {
		update["birth_date"] = old.birth.withAge(c.Age.orZero(), time.Now())
	}
	if c.haveTown() {
		if err := changeTown(ctx, tx, id, update); err != nil {
			return err
		}
	}
	if c.Prompts.Sent {
		if err := changePrompts(ctx, tx, id, c.Prompts.orZero(), c.RemovedVoiceIDs.orZero()); err != nil {
			return err
		}
	}
	if err := c.setPause(ctx, tx, id); err != nil {
		return err
	}
	if err := c.setStart(ctx, tx, id); err != nil {
		return err
	}
	return updateMember(ctx, tx, id, update)
}

func (c Changes) haveHiding() bool { return c.HideOnline.Sent || c.HideReadReceipts.Sent }

// changeHiding reports whether the changes have another value of HideOnline or HideReadReceipts than old.
func (c Changes) changeHiding(old sensitive) bool {
	return c.HideOnline.Sent && c.HideOnline.orZero() != old.hideOnline ||
		c.HideReadReceipts.Sent && c.HideReadReceipts.orZero() != old.hideReadReceipts
}

// notifyHidingChange calls the function of WatchHiding, also for a repeated call, because the first one may have published
// nothing (docs/decisions/0106). The limit keeps other members from being flooded with events.
func (s *Service) notifyHidingChange(ctx context.Context, id uuid.UUID, changes Changes, old sensitive) {
	if s.onHidingChange == nil || !changes.haveHiding() {
		return
	}
	if changes.changeHiding(old) || s.repeats.Allow(id) == nil {
		s.onHidingChange(ctx, id)
	}
}

func (c Changes) haveTown() bool { return c.City.Sent || c.State.Sent }

// withoutName returns the changes without the name if it is the old one: a name from before the rules stays until it is
// changed.
func (c Changes) withoutName(old string) Changes {
	if c.FullName.orZero() == old {
		c.FullName.Sent = false
	}
	return c
}

// columns returns the new values by column, without prompts and the town's
// position. The table of fields validates most of them.
func (c Changes) columns(listed []string) (map[string]any, error) {
	set := map[string]any{}
	errs := []error{c.setName(set), c.setBirth(set)}
	for _, f := range fields {
		errs = append(errs, f.apply(c, set))
	}
	errs = append(errs,
		setList(set, "intention_tags", c.IntentionTags, func(tags []string) ([]string, error) { return chosenTags(tags, listed) }),
		setList(set, "interested_in", c.InterestedIn, cleanInterests),
	)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for column, field := range map[string]Field[bool]{
		"religion_counts": c.ReligionCounts, "first_name_only": c.FirstNameOnly, "incognito": c.Incognito, "hide_online": c.HideOnline, "hide_read_receipts": c.HideReadReceipts, "hide_premium": c.HidePremium, "hide_badges": c.HideBadges,
	} {
		if field.Sent {
			set[column] = field.orZero()
		}
	}
	return set, nil
}

// maxPause is a year and a day, because the day of the choice may have passed in the
// member's time zone.
const maxPause = 366 * 24 * time.Hour

// setPause begins, changes or ends the pause. A repetition does not change its beginning.
// An end without a pause violates the constraint users_pause_end.
func (c Changes) setPause(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	if !c.Paused.Sent && !c.PausedUntil.Sent {
		return nil
	}
	if until := c.PausedUntil.Value; until != nil {
		if left := time.Until(*until); left <= 0 || left > maxPause {
			return fault.InvalidField("pausedUntil", "Please choose a time within the next year.")
		}
	}
	var paused *bool // nil to leave it as it is
	if c.Paused.Sent {
		value := c.Paused.orZero()
		paused = &value
	}
	_, err := tx.Exec(ctx, `
		UPDATE users u
		SET paused_at = CASE
				WHEN NOT coalesce(@paused, is_paused(u.paused_at, u.paused_until)) THEN NULL
				WHEN is_paused(u.paused_at, u.paused_until) THEN u.paused_at
				ELSE now()
			END,
			paused_until = CASE
				WHEN @untilSent THEN @until
				WHEN coalesce(@paused, true) AND is_paused(u.paused_at, u.paused_until) THEN u.paused_until
			END
		WHERE u.id = @id`,
		pgx.NamedArgs{"id": id, "paused": paused, "untilSent": c.PausedUntil.Sent, "until": c.PausedUntil.Value})
	return err
}

func (c Changes) setName(set map[string]any) (err error) {
	if c.FullName.Sent {
		set["full_name"], set["first_name"], set["last_name"], err = splitName(c.FullName.orZero())
	}
	return err
}

func (c Changes) setBirth(set map[string]any) (err error) {
	switch {
	case c.BirthDate.Sent && c.BirthDate.Value == nil && !c.Age.Sent:
		set["birth_date_exact"] = false // only the age is known
	case c.Age.Sent || c.BirthDate.Sent:
		set["birth_date"], set["birth_date_exact"], err = computeBirthDate(c.Age.Value, c.BirthDate.Value, time.Now())
	}
	return err
}

func setList(set map[string]any, column string, field Field[[]string], clean func([]string) ([]string, error)) error {
	if !field.Sent {
		return nil
	}
	list, err := clean(field.orZero())
	set[column] = list
	return err
}

// updateMember writes the columns of update. Their names must be constants of this package,
// because they become part of the SQL text.
func updateMember(ctx context.Context, tx pgx.Tx, id uuid.UUID, update map[string]any) error {
	args := pgx.NamedArgs{"id": id}
	maps.Copy(args, update)
	_, err := tx.Exec(ctx, updateSQL(update), args)
	return err
}

// updateSQL returns the same text for the same columns, because the connection caches a
// prepared statement for each text.
func updateSQL(columns map[string]any) string {
	var sql strings.Builder
	sql.WriteString(`UPDATE users SET updated_at = now()`)
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		fmt.Fprintf(&sql, ", %s = @%s", column, column)
	}
	sql.WriteString(` WHERE id = @id`)
	return sql.String()
}

// constraintFault returns Invalid with the field if err is the violation of a constraint of
// users, and err otherwise.
func constraintFault(err error) error {
	switch {
	case pg.ViolatesConstraint(err, "users_adult"):
		return fault.InvalidField("age", "You must be at least 18 years old.")
	case pg.ViolatesConstraint(err, "users_pause_end"):
		return fault.InvalidField("pausedUntil", "Only a paused profile can have an end of the pause.")
	}
	return err
}
