package index

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"heartward/api/discovery/compat"
	"heartward/api/members"
)

// Every answer of a profile has a digit, and every education a level in the score.
func TestAnswers_AreThoseOfProfiles(t *testing.T) {
	t.Parallel()
	assert.Equal(t, combinations, 3*3*len(educations)*len(religions), "a word was added: change the constant combinations")
	for _, education := range members.Educations {
		p := compat.Person{Education: &education}
		assert.Equal(t, &education, decodedAnswers[encodeAnswers(p)].Education)
		assert.Equal(t, 8000, compat.Lifestyle(p, p), "compat has no level for %s", education)
	}
	for _, religion := range members.Religions {
		assert.Equal(t, &religion, decodedAnswers[encodeAnswers(compat.Person{Religion: &religion})].Religion)
	}
	assert.LessOrEqual(t, len(members.Genders), 8, "a gender is a bit of eight")
}
