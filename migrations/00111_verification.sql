-- +goose Up

-- Verification of members by a selfie.

CREATE TABLE verifications (
    id            uuid PRIMARY KEY,
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The requested pose.
    pose          text NOT NULL CHECK (length(pose) BETWEEN 1 AND 40),
    status        text NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'pending', 'approved', 'rejected')),
    -- NULL before the selfie is sent and after it is deleted.
    selfie_id     uuid REFERENCES files ON DELETE SET NULL,
    requested_at  timestamptz NOT NULL DEFAULT now(),
    -- NULL before the selfie is sent.
    submitted_at  timestamptz,
    -- The admin who last opened it, and when; NULL before, opened_by also when that account was deleted.
    opened_by     uuid REFERENCES users ON DELETE SET NULL,
    opened_at     timestamptz,
    -- The admin's decision; NULL before it, decided_by also when that account was deleted.
    decided_at    timestamptz,
    decided_by    uuid REFERENCES users ON DELETE SET NULL,
    reason        text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
    CONSTRAINT verifications_submitted CHECK ((status = 'requested') = (submitted_at IS NULL)),
    CONSTRAINT verifications_decided CHECK ((status IN ('approved', 'rejected')) = (decided_at IS NOT NULL))
);
COMMENT ON TABLE verifications IS
    'Selfies in a given pose, which an admin compares with the photos of the profile.';
-- At most one is open for each member.
CREATE UNIQUE INDEX verifications_open ON verifications (user_id) WHERE status IN ('requested', 'pending');
CREATE INDEX verifications_user ON verifications (user_id, requested_at DESC);
CREATE INDEX verifications_queue ON verifications (submitted_at, id) WHERE status = 'pending';
CREATE INDEX verifications_selfie ON verifications (selfie_id) WHERE selfie_id IS NOT NULL;
CREATE INDEX verifications_opened_by ON verifications (opened_by) WHERE opened_by IS NOT NULL;
CREATE INDEX verifications_decided_by ON verifications (decided_by) WHERE decided_by IS NOT NULL;

-- The verifications that wait for a decision. The selfie is deleted then.
CREATE VIEW pending_verifications AS
    SELECT user_id, selfie_id
    FROM verifications
    WHERE status = 'pending';

-- Those that an admin has opened with a reason, who may see the selfie and the photos for an hour.
CREATE VIEW opened_verifications AS
    SELECT user_id, selfie_id, opened_by
    FROM verifications
    WHERE status = 'pending'
        AND opened_at > now() - interval '1 hour';

-- The decided verifications, without their reasons.
CREATE VIEW decided_verifications AS
    SELECT
        id,
        user_id,
        status,
        decided_at
    FROM verifications
    WHERE status IN ('approved', 'rejected');
