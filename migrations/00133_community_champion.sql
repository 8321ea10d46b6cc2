-- +goose Up

-- No badge counts the Love Pulse, and nothing else read this.
DROP FUNCTION pulse_counts(uuid);
