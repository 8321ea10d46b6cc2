-- +goose Up
ALTER TABLE users
    -- When the member used up the one change of the birth date; NULL before. Others are made by a person.
    ADD COLUMN birth_date_changed_at timestamptz;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
