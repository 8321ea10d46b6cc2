-- +goose Up

-- Nothing reads it.
DROP FUNCTION pulse_counts(uuid);
