-- +goose Up

ALTER TABLE users
    ADD COLUMN personality_traits    text[] NOT NULL DEFAULT '{}',
    ADD COLUMN lifestyle_preferences text[] NOT NULL DEFAULT '{}',
    ADD COLUMN relationship_goals    text[] NOT NULL DEFAULT '{}',
    ADD COLUMN paused_at             timestamptz,                    -- new members do not see a paused member
    ADD COLUMN incognito             boolean NOT NULL DEFAULT false, -- seen only by those the member likes
    ADD COLUMN welcomed_at           timestamptz,                    -- the guided first run is over
    ADD COLUMN referred_by           uuid REFERENCES users ON DELETE SET NULL,
    ADD CONSTRAINT users_traits CHECK (personality_traits <@ ARRAY['Adventurous', 'Affectionate', 'Ambitious', 'Calm',
        'Creative', 'Curious', 'Empathetic', 'Funny', 'Outgoing', 'Thoughtful']),
    ADD CONSTRAINT users_lifestyle CHECK (lifestyle_preferences <@ ARRAY['Active', 'Early bird', 'Foodie', 'Homebody',
        'Music lover', 'Night owl', 'Nonsmoker', 'Outdoorsy', 'Pet lover', 'Traveler']),
    ADD CONSTRAINT users_goals CHECK (relationship_goals <@ ARRAY['Marriage', 'Life partner', 'Long-term relationship',
        'Dating to see', 'Companionship', 'Friendship first']),
    ADD CONSTRAINT users_not_own_guest CHECK (referred_by <> id);
CREATE INDEX users_referred_by ON users (referred_by, created_at DESC, id DESC) WHERE referred_by IS NOT NULL;
UPDATE users SET welcomed_at = created_at;

-- Sixty-four loudnesses of 0 to 100, so that a recording is drawn before it is fetched.
ALTER TABLE files ADD COLUMN waveform smallint[] NOT NULL DEFAULT '{}' CHECK (cardinality(waveform) <= 64);

-- A selfie in a pose that was asked for, to be compared with the photos by an admin.
CREATE TABLE verifications (
    id            uuid PRIMARY KEY,
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    pose          text NOT NULL CHECK (length(pose) BETWEEN 1 AND 40),
    status        text NOT NULL DEFAULT 'asked' CHECK (status IN ('asked', 'pending', 'approved', 'rejected')),
    selfie_id     uuid REFERENCES files ON DELETE SET NULL,
    asked_at      timestamptz NOT NULL DEFAULT now(),
    submitted_at  timestamptz,
    decided_at    timestamptz,
    decided_by    uuid REFERENCES users ON DELETE SET NULL,
    reason        text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
    CHECK ((status = 'asked') = (submitted_at IS NULL)),
    CHECK ((status IN ('approved', 'rejected')) = (decided_at IS NOT NULL))
);
CREATE UNIQUE INDEX verifications_open ON verifications (user_id) WHERE status IN ('asked', 'pending');
CREATE INDEX verifications_user ON verifications (user_id, asked_at DESC);
CREATE INDEX verifications_queue ON verifications (submitted_at, id) WHERE status = 'pending';
CREATE INDEX verifications_selfie ON verifications (selfie_id) WHERE selfie_id IS NOT NULL;
CREATE INDEX verifications_decided_by ON verifications (decided_by) WHERE decided_by IS NOT NULL;

-- +goose Down
DROP TABLE verifications;
ALTER TABLE files DROP COLUMN waveform;
ALTER TABLE users DROP COLUMN personality_traits, DROP COLUMN lifestyle_preferences, DROP COLUMN relationship_goals,
    DROP COLUMN paused_at, DROP COLUMN incognito, DROP COLUMN welcomed_at, DROP COLUMN referred_by;
