-- +goose Up

-- Moments that members can share outside the app: a match, a badge, a friend who joined.

CREATE TABLE shareable_moments (
    id           uuid PRIMARY KEY,
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    moment_type  text NOT NULL CHECK (moment_type IN ('match', 'badge', 'referral')),
    -- The match, the row of user_badges, or the member who was referred; a random id after that member's account was
    -- deleted. No foreign key: the moment stays when its subject is gone.
    subject_id   uuid NOT NULL,
    title        text NOT NULL CHECK (length(title) BETWEEN 1 AND 80),
    -- The words that are shared with the picture. Written by the member.
    caption      text NOT NULL CHECK (length(caption) <= 280),
    -- The stored picture, which never shows the other member; NULL before the app has drawn it.
    image_id     uuid REFERENCES files ON DELETE SET NULL,
    -- The number of rows of moment_shares.
    share_count  integer NOT NULL DEFAULT 0 CHECK (share_count >= 0),
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT shareable_moments_once UNIQUE (user_id, moment_type, subject_id)
);
COMMENT ON TABLE shareable_moments IS 'Moments of members, made at the event by a job, or by hand for one in the past.';
CREATE INDEX shareable_moments_newest ON shareable_moments (user_id, created_at DESC, id DESC);
CREATE INDEX shareable_moments_referral ON shareable_moments (subject_id) WHERE moment_type = 'referral';
CREATE INDEX shareable_moments_image ON shareable_moments (image_id) WHERE image_id IS NOT NULL;

CREATE TABLE moment_shares (
    moment_id  uuid NOT NULL REFERENCES shareable_moments ON DELETE CASCADE,
    -- Chosen by the device, so that a repeated call counts once.
    client_id  uuid NOT NULL,
    channel    text NOT NULL CHECK (channel IN ('stories', 'twitter', 'whatsapp', 'copy', 'device')),
    shared_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (moment_id, client_id)
);
COMMENT ON TABLE moment_shares IS 'That a member has shared a moment, and by which channel.';

CREATE TABLE moment_consents (
    moment_id    uuid PRIMARY KEY REFERENCES shareable_moments ON DELETE CASCADE,
    -- The other member of the match, who may allow that the picture shows their first name and first photo.
    peer_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    answer       text NOT NULL DEFAULT 'asked' CHECK (answer IN ('asked', 'given', 'declined')),
    asked_at     timestamptz NOT NULL DEFAULT now(),
    -- NULL while asked.
    answered_at  timestamptz,
    CONSTRAINT moment_consents_answered CHECK ((answer = 'asked') = (answered_at IS NULL))
);
COMMENT ON TABLE moment_consents IS
    'Requests to show the other member of a match, and their answers. An answer can be changed at any time, and counts while '
    'the match is open.';
CREATE INDEX moment_consents_peer ON moment_consents (peer_id, asked_at DESC, moment_id DESC);

-- Deletes the stored picture of a moment that is deleted or gets another picture.
-- +goose StatementBegin
CREATE FUNCTION moment_picture_dropped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM files WHERE id = OLD.image_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER shareable_moments_deleted AFTER DELETE ON shareable_moments
    FOR EACH ROW
    WHEN (OLD.image_id IS NOT NULL)
    EXECUTE FUNCTION moment_picture_dropped();
CREATE TRIGGER shareable_moments_redrawn AFTER UPDATE OF image_id ON shareable_moments
    FOR EACH ROW
    WHEN (OLD.image_id IS NOT NULL AND OLD.image_id IS DISTINCT FROM NEW.image_id)
    EXECUTE FUNCTION moment_picture_dropped();

-- The stored pictures of moments. Only their member may open them.
CREATE VIEW moment_pictures AS
    SELECT
        user_id,
        image_id AS file_id
    FROM shareable_moments
    WHERE image_id IS NOT NULL;

-- The requests to show a member that wait for the member's answer, while the match is open.
CREATE VIEW waiting_consents AS
    SELECT
        c.moment_id,
        c.peer_id AS member_id,
        s.user_id AS owner_id,
        c.asked_at
    FROM moment_consents c
    JOIN shareable_moments s ON s.id = c.moment_id
    JOIN match_sides m ON m.match_id = s.subject_id AND m.member_id = c.peer_id AND m.peer_id = s.user_id AND m.unmatched_at IS NULL
    WHERE c.answer = 'asked';
