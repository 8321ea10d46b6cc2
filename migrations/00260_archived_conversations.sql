-- +goose Up

-- Each member's own settings, as the number of the newest message when the member chose them; NULL for not chosen. A newer
-- message ends both. A muted conversation stays archived.
ALTER TABLE conversations
    ADD COLUMN a_archived_seq   bigint,
    ADD COLUMN b_archived_seq   bigint,
    -- The other member wrote last and waits for no answer.
    ADD COLUMN a_turn_ended_seq bigint,
    ADD COLUMN b_turn_ended_seq bigint;
