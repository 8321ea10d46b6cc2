-- +goose Up

-- The question of the guided first run at which a new member is. NULL once the first run is over, and for members whose
-- account was made without it.
ALTER TABLE users
    ADD COLUMN start_step text;
ALTER TABLE users
    ADD CONSTRAINT users_start_step CHECK (start_step IN ('gender', 'seek', 'photo', 'prompt')) NOT VALID;
ALTER TABLE users
    VALIDATE CONSTRAINT users_start_step;
