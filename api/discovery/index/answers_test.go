package index

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"heartward/api/discovery/compat"
	"heartward/api/members"
)

// The constants of encodeAnswers and of compat include every answer of a profile.
func TestAnswers_AreThoseOfProfiles(t *testing.T) {
	t.Parallel()
	assert.Equal(t, combinations, 3*3*len(educations)*len(religions), "an answer was added: change the constant combinations")
	for _, education := range members.Educations {
		p := compat.Person{Education: &education}
		assert.Equal(t, &education, decodedAnswers[encodeAnswers(p)].Education)
		assert.Equal(t, 8000, compat.Lifestyle(p, p), "compat has no level for %s", education)
	}
	for _, religion := range members.Religions {
		assert.Equal(t, &religion, decodedAnswers[encodeAnswers(compat.Person{Religion: &religion})].Religion)
	}
	assert.LessOrEqual(t, len(members.Genders), 8, "genders fit into eight bits")
}
