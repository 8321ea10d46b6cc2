-- +goose Up

-- The posts of members that moderators have published, also while their author is hidden: a count of them changes only
-- with a decision or a deletion.
CREATE VIEW accepted_posts AS
    SELECT
        id AS post_id,
        author_id,
        published_at
    FROM community_posts
    WHERE status = 'published'
        AND NOT is_admin_post;

INSERT INTO badges (id, category, position, icon, name, color_palette, criterion, needed, is_public, description, requirements) VALUES
    ('019a0000-0000-7000-8000-000000000110', 'engagement', 5, 'community_champion', 'Community Champion', 'plum', 'published_posts', 3, true,
     'Your stories are good company.', 'Have 3 stories published on the community board');

-- No badge counts the Love Pulse, and nothing else read this.
DROP FUNCTION pulse_counts(uuid);
