-- +goose Up

-- The written answers of profiles, for likes that are about one.
CREATE VIEW profile_answers AS
    SELECT
        user_id AS member_id,
        question,
        answer,
        position
    FROM member_prompts
    WHERE answer <> '';
