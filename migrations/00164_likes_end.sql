-- +goose Up

-- Likes end: those that were not returned after a year, those of a match with the match's conversation.

ALTER TABLE user_likes
    -- Whether the two have matched. Set by the trigger on matches.
    ADD COLUMN is_matched boolean NOT NULL DEFAULT false;
COMMENT ON TABLE user_likes IS
    'Likes, one for each direction of a pair. A job deletes a like that was not returned after a year.';

-- A trigger, so that processes of the previous version set it too during a deploy.
-- +goose StatementBegin
CREATE FUNCTION likes_matched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE user_likes
    SET is_matched = true
    WHERE (from_user_id = NEW.user_a AND to_user_id = NEW.user_b)
        OR (from_user_id = NEW.user_b AND to_user_id = NEW.user_a);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER matches_likes AFTER INSERT ON matches
    FOR EACH ROW EXECUTE FUNCTION likes_matched();

-- Deletes the likes of a pair and returns their number. The clean-up of ended conversations calls it.
CREATE FUNCTION delete_likes(a uuid, b uuid) RETURNS bigint LANGUAGE sql AS $$
    WITH deleted AS (
        DELETE FROM user_likes
        WHERE (from_user_id = a AND to_user_id = b)
            OR (from_user_id = b AND to_user_id = a)
        RETURNING id
    )
    SELECT count(*) FROM deleted
$$;
