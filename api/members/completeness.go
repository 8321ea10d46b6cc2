package members

import "github.com/danielgtaylor/huma/v2"

// completeFields are the fields that count for completeness.
var completeFields = func() (counted []field) {
	for _, f := range fields {
		if f.complete {
			counted = append(counted, f)
		}
	}
	return counted
}()

// Completeness is the share of a profile's parts that are filled in.
type Completeness struct {
	Percent int      `json:"percent"`
	Missing []string `json:"missing" doc:"The fields that are not filled in"`
}

// TransformSchema enumerates the fields that can be missing.
func (Completeness) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	for _, f := range completeFields {
		s.Properties["missing"].Items.Enum = append(s.Properties["missing"].Items.Enum, f.name)
	}
	return s
}

// completeness counts the parts of a profile that are filled in, as the view search_members does.
func completeness(me Me) Completeness {
	result := Completeness{Missing: []string{}}
	for _, f := range completeFields {
		if !f.filledIn(me) {
			result.Missing = append(result.Missing, f.name)
		}
	}
	result.Percent = 100 * (len(completeFields) - len(result.Missing)) / len(completeFields)
	return result
}
