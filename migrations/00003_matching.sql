-- +goose Up

CREATE TABLE user_likes (
    id            uuid PRIMARY KEY,
    from_user_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    to_user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    like_type     text NOT NULL CHECK (like_type IN ('like', 'super_like')),
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT user_likes_pair UNIQUE (from_user_id, to_user_id),
    CHECK (from_user_id <> to_user_id)
);
CREATE INDEX user_likes_to ON user_likes (to_user_id, created_at DESC);
CREATE INDEX user_likes_from ON user_likes (from_user_id, created_at DESC);

CREATE TABLE user_passes (
    from_user_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    to_user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (from_user_id, to_user_id),
    CHECK (from_user_id <> to_user_id)
);
CREATE INDEX user_passes_to ON user_passes (to_user_id);

-- One row a pair, the smaller id first, so that a pair can match only once.
CREATE TABLE matches (
    id            uuid PRIMARY KEY,
    user_a        uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    user_b        uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    seen_by_a     boolean NOT NULL DEFAULT false,
    seen_by_b     boolean NOT NULL DEFAULT false,
    unmatched_at  timestamptz,
    unmatched_by  uuid REFERENCES users ON DELETE SET NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT matches_pair UNIQUE (user_a, user_b),
    CHECK (user_a < user_b)
);
CREATE INDEX matches_a ON matches (user_a, created_at DESC, id DESC) WHERE unmatched_at IS NULL;
CREATE INDEX matches_b ON matches (user_b, created_at DESC, id DESC) WHERE unmatched_at IS NULL;

-- +goose Down
DROP TABLE matches, user_passes, user_likes;
