package discovery

import (
	"context"

	"github.com/google/uuid"
)

// Count returns how many members filter leaves for viewer, up to most, and
// whether there are more.
func (s *Service) Count(ctx context.Context, viewer uuid.UUID, filter Filter, most int) (count int, more bool, err error) {
	for cursor := ""; ; {
		page, next, err := s.Search(ctx, viewer, filter, Page{Cursor: cursor, Limit: 50})
		if err != nil {
			return 0, false, err
		}
		count += len(page)
		if count > most || next != "" && count == most {
			return most, true, nil
		}
		if next == "" {
			return count, false, nil
		}
		cursor = next
	}
}
