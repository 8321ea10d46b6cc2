package members

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// promptQuestions are suggested questions. A member may also write another one.
var promptQuestions = []string{
	"A perfect slow morning",
	"I feel most at home when",
	"Something I learned late",
	"The way to my heart is",
	"I am looking for someone who",
	"My friends would say that I",
	"A small thing I am grateful for",
	"Together we could",
	"I could talk for hours about",
	"My favorite kind of quiet",
	"I knew I had grown when",
	"The best advice I was ever given",
	"A tradition I would love to share",
	"What makes me laugh until I cry",
	"I show that I care by",
	"A meal I cook for people I love",
	"A place I keep going back to",
	"The song I play on repeat",
	"I changed my mind about",
	"A book or film that stayed with me",
	"I feel loved when",
	"My ideal Sunday ends with",
	"Ask me about",
	"In five years I hope we",
}

// Options are the words and questions that can be chosen for a profile.
type Options struct {
	Words
	PromptQuestions []string `json:"promptQuestions" doc:"Suggestions; any other question is allowed as well"`
}

// ProfileOptions returns the options, which are the same for all members.
func ProfileOptions() Options {
	options := Options{PromptQuestions: slices.Clone(promptQuestions)}
	for i, words := range options.Lists() {
		*words = slices.Clone(WordLists[i].Words)
	}
	return options
}

// TransformSchema enumerates the words.
func (Options) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return EnumerateWords(s)
}
