-- +goose Up

-- Likes, passes and matches.

CREATE TABLE user_likes (
    id            uuid PRIMARY KEY,
    from_user_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    to_user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    like_type     text NOT NULL CHECK (like_type IN ('like', 'super_like')),
    -- Words sent with the like; may be empty.
    comment       text NOT NULL DEFAULT '' CHECK (length(comment) <= 300),
    -- The photo, or the question of the answer, that the like is about; NULL for the profile as a whole.
    photo_id      uuid REFERENCES files ON DELETE SET NULL,
    prompt        text CHECK (length(prompt) <= 120),
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT user_likes_pair UNIQUE (from_user_id, to_user_id),
    CONSTRAINT user_likes_not_self CHECK (from_user_id <> to_user_id),
    CONSTRAINT user_likes_one_subject CHECK (photo_id IS NULL OR prompt IS NULL)
);
COMMENT ON TABLE user_likes IS
    'Likes, one for each direction of a pair.';
CREATE INDEX user_likes_to ON user_likes (to_user_id, created_at DESC, id DESC);
-- For the notifications, which list each super like.
CREATE INDEX user_likes_super ON user_likes (to_user_id, created_at DESC, id DESC) WHERE like_type = 'super_like';
CREATE INDEX user_likes_from ON user_likes (from_user_id, created_at DESC);
CREATE INDEX user_likes_photo ON user_likes (photo_id) WHERE photo_id IS NOT NULL;

CREATE TABLE user_passes (
    from_user_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    to_user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at    timestamptz NOT NULL DEFAULT now(),
    -- Chosen by the device, so that a repeated call does not restart the 30 days; NULL from a client
    -- that gives none.
    client_id     uuid,
    PRIMARY KEY (from_user_id, to_user_id),
    CONSTRAINT user_passes_not_self CHECK (from_user_id <> to_user_id)
);
COMMENT ON TABLE user_passes IS
    'Passes. They count for 30 days; a job deletes them after a year.';
CREATE INDEX user_passes_to ON user_passes (to_user_id);
-- For the job that deletes old passes, which are at the beginning of the table.
CREATE INDEX user_passes_created ON user_passes USING brin (created_at);
CREATE INDEX user_passes_newest ON user_passes (from_user_id, created_at DESC, to_user_id DESC);

CREATE TABLE undone_passes (
    from_user_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    client_id     uuid NOT NULL,
    undone_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (from_user_id, client_id)
);
COMMENT ON TABLE undone_passes IS
    'Undone passes, so that one which arrives after its own undo does nothing. A job deletes rows after a week.';
CREATE INDEX undone_passes_at ON undone_passes (undone_at);

CREATE TABLE matches (
    id            uuid PRIMARY KEY,
    user_a        uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    user_b        uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- Whether the member has seen that there is a match.
    seen_by_a     boolean NOT NULL DEFAULT false,
    seen_by_b     boolean NOT NULL DEFAULT false,
    -- NULL while the match is open.
    unmatched_at  timestamptz,
    -- NULL also when that account was deleted.
    unmatched_by  uuid REFERENCES users ON DELETE SET NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    -- A pair can match only once: the row stays after an unmatch.
    CONSTRAINT matches_pair UNIQUE (user_a, user_b),
    CONSTRAINT matches_order CHECK (user_a < user_b)
);
COMMENT ON TABLE matches IS
    'Matches, one row for each pair, the smaller id first.';
CREATE INDEX matches_a ON matches (user_a, created_at DESC, id DESC) WHERE unmatched_at IS NULL;
-- Not partial, because the foreign key needs an index on the ended matches too.
CREATE INDEX matches_b ON matches (user_b, created_at DESC, id DESC);
-- For the admins' figures.
CREATE INDEX matches_created ON matches (created_at);
CREATE INDEX matches_unmatched_by ON matches (unmatched_by) WHERE unmatched_by IS NOT NULL;

-- A match as each of its two members sees it: one row for each member.
CREATE VIEW match_sides AS
    SELECT
        id        AS match_id,
        user_a    AS member_id,
        user_b    AS peer_id,
        seen_by_a AS seen,
        created_at,
        unmatched_at
    FROM matches
    UNION ALL
    SELECT
        id,
        user_b,
        user_a,
        seen_by_b,
        created_at,
        unmatched_at
    FROM matches;

-- A like as other features may read it, without its comment and subject.
CREATE VIEW likes AS
    SELECT
        id,
        from_user_id AS member_id,
        to_user_id   AS peer_id,
        like_type,
        created_at
    FROM user_likes;

-- The passes that count: those of the last 30 days.
CREATE VIEW active_passes AS
    SELECT
        from_user_id,
        to_user_id,
        created_at
    FROM user_passes
    WHERE created_at > now() - interval '30 days';

-- The members whom a member has decided about, who are not found again: liked, passed
-- on, or matched, also if the match has ended. A peer may be there twice.
CREATE VIEW decided_pairs AS
    SELECT from_user_id AS member_id, to_user_id AS peer_id FROM user_likes
    UNION ALL
    SELECT from_user_id, to_user_id FROM active_passes
    UNION ALL
    SELECT user_a, user_b FROM matches
    UNION ALL
    SELECT user_b, user_a FROM matches;
