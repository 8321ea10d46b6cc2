package pulse

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	HistorySQL    = historySQL
	YearSQL       = yearSQL
	StreakSQL     = streakSQL
	SharedDaysSQL = sharedDaysSQL
	Questions     = questions
	ParseResponse = parseResponse
)

// StreakOn is Streak on a date in a time zone.
func StreakOn(ctx context.Context, pool *pgxpool.Pool, member uuid.UUID, date time.Time, zone *time.Location) (DayStreak, error) {
	return selectStreak(ctx, pool, member, dayOf(date, zone))
}

// SaveAt is Save at another time.
func (s *Service) SaveAt(ctx context.Context, now time.Time, member uuid.UUID, in Edit) (DailyEntry, error) {
	return s.saveAt(ctx, now, member, member, in)
}
