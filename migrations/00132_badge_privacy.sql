-- +goose Up

-- Whether the badge was found by a recomputation: no push, no notification and no celebration tell of it.
ALTER TABLE user_badges ADD COLUMN is_silent boolean NOT NULL DEFAULT false;

CREATE OR REPLACE VIEW earned_badges AS
    SELECT
        e.id,
        e.user_id,
        e.badge_id,
        b.name,
        b.description,
        b.icon,
        b.color_palette,
        e.earned_at,
        e.is_notified,
        e.is_silent
    FROM user_badges e
    JOIN badges b ON b.id = e.badge_id;
