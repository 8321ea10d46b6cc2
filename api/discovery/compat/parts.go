package compat

import "strings"

// complements are pairs of different intentions that go well together.
var complements = [][2]string{
	{"long-term commitment", "marriage"},
	{"personal growth", "spiritual connection"},
	{"adventure together", "travel companion"},
}

// normalizeSpace returns tag with single spaces. It usually returns tag unchanged.
func normalizeSpace(tag string) string {
	if strings.Contains(tag, "  ") || strings.TrimSpace(tag) != tag {
		return strings.Join(strings.Fields(tag), " ")
	}
	return tag
}

// distinct returns the tags without repetitions that differ only by case or spaces.
func distinct(tags []string) []string {
	result := make([]string, 0, len(tags))
	for _, tag := range tags {
		if tag = normalizeSpace(tag); tag != "" && !has(result, tag) {
			result = append(result, tag)
		}
	}
	return result
}

// has reports whether tags contain tag. With at most ten tags it is faster than a map.
func has(tags []string, tag string) bool {
	for _, t := range tags {
		if strings.EqualFold(t, tag) {
			return true
		}
	}
	return false
}

// Intentions returns the intentions part for two members' tags, in hundredths of a point.
func Intentions(a, b []string) int {
	a, b = distinct(a), distinct(b)
	if len(a) == 0 || len(b) == 0 {
		return 50 * point
	}
	shared := 0
	for _, tag := range a {
		if has(b, tag) {
			shared++
		}
	}
	score := 20 * point
	if shared > 0 {
		larger := max(len(a), len(b))
		score = (shared*maxPart + larger/2) / larger
	}
	return clamp(score + len(complementary(a, b))*10*point)
}

// ShareTag reports whether two members have a tag in common.
func ShareTag(a, b []string) bool {
	for _, tag := range a {
		for _, other := range b {
			if strings.EqualFold(normalizeSpace(tag), normalizeSpace(other)) {
				return true
			}
		}
	}
	return false
}

// complementary returns the pairs of complements of which one member has one tag and the
// other member the other tag. Each pair counts once.
func complementary(a, b []string) (pairs [][2]string) {
	for _, pair := range complements {
		if has(a, pair[0]) && has(b, pair[1]) || has(a, pair[1]) && has(b, pair[0]) {
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// levels order the educations.
var levels = map[string]int{"high_school": 0, "some_college": 1, "bachelors": 2, "masters": 3, "doctorate": 4}

// kindredFaiths are pairs of different religions that get points.
var kindredFaiths = [][2]string{{"spiritual", "buddhist"}, {"agnostic", "atheist"}, {"christian", "spiritual"}}

// Lifestyle returns the lifestyle part for two members' answers, in hundredths of a point.
func Lifestyle(a, b Person) int {
	score := 70
	score += same(a.HasChildren, b.HasChildren, 15, -10)
	score += same(a.WantsChildren, b.WantsChildren, 15, -20)
	if gap, ok := educationGap(a.Education, b.Education); ok {
		switch {
		case gap <= 1:
			score += 10
		case gap >= 3:
			score -= 5
		}
	}
	if a.Religion != nil && b.Religion != nil {
		score += faith(*a.Religion, *b.Religion)
	}
	return clamp(score * point)
}

// same returns yes for equal answers, no for different ones, and 0 if a side has not
// answered.
func same[T comparable](a, b *T, yes, no int) int {
	switch {
	case a == nil || b == nil:
		return 0
	case *a == *b:
		return yes
	}
	return no
}

// educationGap returns the difference in levels; ok is false if a level is not known.
func educationGap(a, b *string) (gap int, ok bool) {
	if a == nil || b == nil {
		return 0, false
	}
	levelA, okA := levels[*a]
	levelB, okB := levels[*b]
	return absDiff(levelA, levelB), okA && okB
}

// faith returns the points of two religions, which may be negative.
func faith(a, b string) int {
	if a == b {
		return 20
	}
	for _, pair := range kindredFaiths {
		if a == pair[0] && b == pair[1] || a == pair[1] && b == pair[0] {
			return 5
		}
	}
	return -10
}
