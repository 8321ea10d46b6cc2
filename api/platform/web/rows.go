package web

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/fault"
)

// RowResult is the result of one row of a decision on several.
type RowResult struct {
	ID      uuid.UUID      `json:"id"`
	Stored  bool           `json:"stored" doc:"Whether the decision is stored, also by an earlier request"`
	Problem string         `json:"problem" doc:"Why it is not stored; empty if it is"`
	Code    string         `json:"code,omitempty" doc:"What the problem is, for programs; absent if there is none"`
	Params  map[string]any `json:"params,omitempty" doc:"The parameters of the code"`
}

// TransformSchema makes the code one of the known codes.
func (RowResult) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	return withErrorCode(r, s)
}

// EachRow calls decide for each id, and returns the results in the same order. NotFound, Conflict and
// Forbidden are about the row, and are part of its result. At any other error EachRow returns it and
// calls decide no more. The rows before it have been decided, so decide must be idempotent.
func EachRow(ids []uuid.UUID, decide func(id uuid.UUID) error) ([]RowResult, error) {
	results := make([]RowResult, 0, len(ids))
	for _, id := range ids {
		result := RowResult{ID: id, Stored: true}
		if err := decide(id); err != nil {
			f := fault.From(err)
			switch f.Kind {
			case fault.NotFound, fault.Conflict, fault.Forbidden:
				result = RowResult{ID: id, Problem: f.Message, Code: f.Code, Params: f.Parameters()}
			default:
				return nil, err
			}
		}
		results = append(results, result)
	}
	return results, nil
}
