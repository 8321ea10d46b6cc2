package members

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// Options are the words and questions that can be chosen for a profile.
type Options struct {
	Words
	PromptTopics []PromptTopic `json:"promptTopics" doc:"Suggested questions; any other question is allowed as well"`
}

// ProfileOptions returns the options, which are the same for all members.
func ProfileOptions() Options {
	options := Options{PromptTopics: promptTopics}
	for i, words := range options.Lists() {
		*words = slices.Clone(WordLists[i].Words)
	}
	return options
}

// TransformSchema enumerates the words.
func (Options) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return EnumerateWords(s)
}
