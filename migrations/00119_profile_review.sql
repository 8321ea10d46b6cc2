-- +goose Up

-- Review of new profiles and new first photos, while the setting is on. A profile that waits is not approved
-- (users.is_approved); a first photo that waits is not accepted (member_media.accepted).

CREATE TABLE profile_reviews (
    user_id       uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- Another one with each submission, so that a decision is about what the moderator saw.
    id            uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    -- A new profile is hidden as a whole, of other members only the first photo.
    subject       text NOT NULL CHECK (subject IN ('profile', 'photo')),
    status        text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'declined')),
    -- The first photo at the submission; NULL without a photo. No foreign key: the photo may be deleted since.
    photo_id      uuid,
    submitted_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The moderator who last opened it, and when; NULL before, opened_by also when that account was deleted.
    opened_by     uuid REFERENCES users ON DELETE SET NULL,
    opened_at     timestamptz,
    -- The decision; NULL before it, decided_by also when that account was deleted or the setting was turned off.
    decided_at    timestamptz,
    decided_by    uuid REFERENCES users ON DELETE SET NULL,
    -- Told to a declined member; empty otherwise.
    reason        text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
    CONSTRAINT profile_reviews_decided CHECK ((status = 'pending') = (decided_at IS NULL)),
    CONSTRAINT profile_reviews_reason CHECK ((status = 'declined') = (reason <> ''))
);
COMMENT ON TABLE profile_reviews IS 'The last submission of a profile or first photo for review.';
CREATE INDEX profile_reviews_queue ON profile_reviews (submitted_at, id) WHERE status = 'pending';
CREATE INDEX profile_reviews_opened_by ON profile_reviews (opened_by) WHERE opened_by IS NOT NULL;
CREATE INDEX profile_reviews_decided_by ON profile_reviews (decided_by) WHERE decided_by IS NOT NULL;

-- Those that a moderator has opened with a reason, who may see the files of the profile for an hour.
CREATE VIEW opened_profile_reviews AS
    SELECT user_id, opened_by
    FROM profile_reviews
    WHERE status = 'pending'
        AND opened_at > now() - interval '1 hour';

-- The decided submissions, without their reasons.
CREATE VIEW decided_profile_reviews AS
    SELECT
        id,
        user_id,
        subject,
        status,
        decided_at
    FROM profile_reviews
    WHERE status <> 'pending';

-- Puts a submission into the queue, in place of an earlier one of the member.
CREATE FUNCTION submit_for_review(member uuid, about text, photo uuid) RETURNS void LANGUAGE sql AS $$
    INSERT INTO profile_reviews (user_id, subject, photo_id)
    VALUES (member, about, photo)
    ON CONFLICT (user_id) DO UPDATE
    SET
        id = gen_random_uuid(),
        subject = excluded.subject,
        status = 'pending',
        photo_id = excluded.photo_id,
        submitted_at = excluded.submitted_at,
        opened_by = NULL,
        opened_at = NULL,
        decided_at = NULL,
        decided_by = NULL,
        reason = ''
$$;

-- Submits a profile. The caller has hidden it, and holds the lock of the member's row.
CREATE FUNCTION request_profile_review(member uuid) RETURNS void LANGUAGE sql AS $$
    SELECT submit_for_review(member, 'profile', (
        SELECT file_id
        FROM member_media
        WHERE user_id = member
            AND slot = 'photo'
            AND position = 1
    ))
$$;

-- Runs after a change of the photos, with the lock of the member's row. Submits a first photo that is not accepted,
-- unless it waits or was declined already; while reviews are off it is accepted. In a profile that waits, another first
-- photo makes another submission, with the same place in the queue.
-- +goose StatementBegin
CREATE FUNCTION review_first_photo(member uuid, is_on boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    photo member_media;
    review profile_reviews;
BEGIN
    SELECT * INTO photo FROM member_media WHERE user_id = member AND slot = 'photo' AND position = 1;
    SELECT * INTO review FROM profile_reviews WHERE user_id = member;
    IF review.subject = 'profile' AND review.status <> 'accepted' THEN
        IF review.status = 'pending' AND review.photo_id IS DISTINCT FROM photo.file_id THEN
            UPDATE profile_reviews
            SET
                id = gen_random_uuid(),
                photo_id = photo.file_id,
                opened_by = NULL,
                opened_at = NULL
            WHERE user_id = member;
        END IF;
    ELSIF photo.file_id IS NULL OR photo.accepted THEN
        DELETE FROM profile_reviews WHERE user_id = member AND status <> 'accepted';
    ELSIF review.photo_id = photo.file_id AND review.status <> 'accepted' THEN
        RETURN;
    ELSIF is_on THEN
        PERFORM submit_for_review(member, 'photo', photo.file_id);
    ELSE
        UPDATE member_media SET accepted = true WHERE file_id = photo.file_id;
        DELETE FROM profile_reviews WHERE user_id = member AND status <> 'accepted';
    END IF;
END $$;
-- +goose StatementEnd
