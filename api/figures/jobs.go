package figures

import "github.com/riverqueue/river"

// StoreArgs are the arguments of the hourly job that stores the figures.
type StoreArgs struct{}

// Kind returns the name of the job in River.
func (StoreArgs) Kind() string { return "store_figures" }

// InsertOpts let the next hour repeat a failed job.
func (StoreArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 1} }
