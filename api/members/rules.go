package members

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"heartward/api/platform/fault"
	"heartward/api/platform/text"
)

// The limits of a member's age at the sign-up or a change.
const (
	minAge = 18
	maxAge = 99
)

const maxName = 100

// UnderAge is the code of the error for a birth date or age below 18.
const UnderAge = "under_age"

// splitName returns a full name, its first word and the rest. It returns Invalid for a name
// that checkName refuses.
func splitName(fullName string) (whole, first, last string, err error) {
	whole, err = text.Line("fullName", fullName, maxName)
	if err != nil {
		return "", "", "", err
	}
	words := strings.Fields(whole)
	if len(words) == 0 || !strings.ContainsFunc(whole, unicode.IsLetter) {
		return "", "", "", fault.InvalidField("fullName", "Please tell us your name.")
	}
	whole = strings.Join(words, " ")
	return whole, words[0], strings.Join(words[1:], " "), checkName(whole)
}

// computeBirthDate returns the date to store for a birth date or for an age. Ages are computed in whole years with the date
// in UTC. A birth date is valid if it is valid by the calendar of any time zone, because the app checks it by the member's.
func computeBirthDate(age *int, date *string, now time.Time) (day time.Time, exact bool, err error) {
	today := now.UTC().Truncate(24 * time.Hour)
	field := "age"
	switch {
	case date != nil:
		if age != nil { // the date is used, but the age must be valid too
			if _, _, err = computeBirthDate(age, nil, now); err != nil {
				return day, false, err
			}
		}
		field, exact = "birthDate", true
		if day, err = time.Parse(time.DateOnly, *date); err != nil {
			return day, false, fault.InvalidField(field, "Please give your birth date as year-month-day.")
		}
	case age != nil:
		day = yearsBefore(today, *age)
	default:
		return day, false, fault.InvalidField(field, "Please tell us your age.")
	}
	latest, earliest := today, today
	if exact {
		latest, earliest = dateIn(now, easternmost), dateIn(now, westernmost)
	}
	switch {
	case day.After(yearsBefore(latest, minAge)):
		return day, false, fault.InvalidField(field, "You must be at least 18 years old.").WithCode(UnderAge)
	case !day.After(yearsBefore(earliest, maxAge+1)):
		return day, false, fault.InvalidField(field, "Please check this: the highest age we know is 99.")
	}
	return day, exact, nil
}

// The offsets of the first and the last time zone in which a day begins.
const (
	easternmost = 14 * time.Hour
	westernmost = -12 * time.Hour
)

// dateIn returns the date of now in a time zone with the offset from UTC.
func dateIn(now time.Time, offset time.Duration) time.Time {
	return now.UTC().Add(offset).Truncate(24 * time.Hour)
}

// yearsBefore returns the same day the given number of years before. The 29th of February
// becomes the 28th, so that the age on day is exactly years.
func yearsBefore(day time.Time, years int) time.Time {
	then := day.AddDate(-years, 0, 0)
	if then.Month() != day.Month() {
		return then.AddDate(0, 0, -1)
	}
	return then
}

// alwaysAllowed are tags that can be chosen in addition to the admins' list: the options of
// the sign-up and the complements of package compat.
var alwaysAllowed = []string{
	"Healing", "Friendship", "Long-term", "Spiritual Connection", "Still healing but open",
	"Long-term commitment", "Marriage", "Personal growth", "Spiritual connection", "Adventure together", "Travel companion",
}

// chosenTags returns tags without repetitions, or Invalid if one is not allowed.
func chosenTags(tags, listed []string) ([]string, error) {
	chosen := []string{}
	for _, tag := range tags {
		tag = strings.TrimSpace(tag)
		if !slices.Contains(alwaysAllowed, tag) && !slices.Contains(listed, tag) {
			return nil, fault.InvalidField("intentionTags", "Please choose from the list of intentions.")
		}
		if !slices.Contains(chosen, tag) {
			chosen = append(chosen, tag)
		}
	}
	if len(chosen) > 10 {
		return nil, fault.InvalidField("intentionTags", "Please choose at most 10 intentions.")
	}
	return chosen, nil
}

func cleanInterests(interests []string) ([]string, error) {
	chosen := []string{}
	for _, gender := range interests {
		if !slices.Contains(Genders, gender) {
			return nil, fault.InvalidField("interestedIn", "Please choose from woman, man, nonbinary and other.")
		}
		if !slices.Contains(chosen, gender) {
			chosen = append(chosen, gender)
		}
	}
	return chosen, nil
}

func oneOf(field string, value *string, allowed ...string) error {
	if value != nil && !slices.Contains(allowed, *value) {
		return fault.InvalidField(field, "Please choose one of: "+strings.Join(allowed, ", ")+".")
	}
	return nil
}
