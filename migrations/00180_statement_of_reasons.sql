-- +goose Up

-- What a statement of reasons says beside the explanation, as it was at the decision, and the decision that took it back.
ALTER TABLE sanctions
    -- The rule, in the words of the reasons of reports; 'rules' for the community rules as a whole.
    ADD COLUMN ground text NOT NULL DEFAULT 'rules' CHECK (ground IN ('rules', 'underage', 'threat', 'assault', 'nonconsensual_images',
        'scam', 'hate', 'harassment', 'fake_profile', 'not_single', 'inappropriate', 'spam', 'other')),
    -- From where the moderators know of it: a member's report, a flagged message, a check of pictures, or what they found.
    ADD COLUMN facts_from text NOT NULL DEFAULT 'moderator' CHECK (facts_from IN ('report', 'message', 'pictures', 'moderator')),
    -- Whether a program found what a moderator then decided about, or decided by itself.
    ADD COLUMN automation text NOT NULL DEFAULT 'none' CHECK (automation IN ('none', 'found', 'decided')),
    -- The later decision that took this one back; NULL while it stands.
    ADD COLUMN reversed_by uuid REFERENCES sanctions ON DELETE SET NULL;

-- reversal takes back a decision without changing what other decisions do, such as a warning.
ALTER TABLE sanctions DROP CONSTRAINT sanctions_kind_check;
ALTER TABLE sanctions ADD CONSTRAINT sanctions_kind_check
    CHECK (kind IN ('warning', 'suspension', 'ban', 'review', 'reinstatement', 'reversal')) NOT VALID;
ALTER TABLE sanctions VALIDATE CONSTRAINT sanctions_kind_check;

UPDATE sanctions SET facts_from = CASE WHEN report_id IS NOT NULL THEN 'report' ELSE 'message' END
WHERE report_id IS NOT NULL
    OR message_id IS NOT NULL;

CREATE OR REPLACE VIEW sanctions_in_force AS
    SELECT
        s.id,
        s.user_id,
        s.kind,
        s.suspended_until,
        s.explanation,
        s.report_id,
        s.message_id,
        s.deletes_at,
        s.created_at,
        s.ground,
        s.facts_from,
        s.automation
    FROM sanctions s
    WHERE s.kind IN ('suspension', 'ban', 'review')
        AND (s.suspended_until IS NULL OR s.suspended_until > now())
        AND NOT EXISTS (
            SELECT
            FROM sanctions later
            WHERE later.user_id = s.user_id
                AND later.kind NOT IN ('warning', 'reversal')
                AND later.report_id IS NULL
                AND later.message_id IS NULL
                AND later.created_at > s.created_at
        )
        AND NOT EXISTS (
            SELECT
            FROM appeals a
            WHERE a.sanction_id = s.id
                AND a.outcome = 'lifted'
        );

-- The outcome of an appeal is news of its own, so its reversal is none.
CREATE OR REPLACE VIEW member_sanctions AS
    SELECT
        id,
        user_id,
        kind,
        created_at
    FROM sanctions
    WHERE kind <> 'reversal';

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
