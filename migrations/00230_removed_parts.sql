-- +goose Up

-- A decision that removes parts of a profile.
ALTER TABLE sanctions
    -- The names of the removed parts, such as "photo 2", for the statement of reasons; empty for other kinds.
    ADD COLUMN parts text[] NOT NULL DEFAULT '{}' CHECK (cardinality(parts) <= 40);
ALTER TABLE sanctions DROP CONSTRAINT sanctions_kind_check;
ALTER TABLE sanctions ADD CONSTRAINT sanctions_kind_check
    CHECK (kind IN ('warning', 'removal', 'suspension', 'ban', 'review', 'reinstatement', 'reversal')) NOT VALID;
ALTER TABLE sanctions VALIDATE CONSTRAINT sanctions_kind_check;
ALTER TABLE sanctions ADD CONSTRAINT sanctions_parts CHECK ((kind = 'removal') = (parts <> '{}')) NOT VALID;
ALTER TABLE sanctions VALIDATE CONSTRAINT sanctions_parts;

ALTER TABLE reports DROP CONSTRAINT reports_action_taken_check;
ALTER TABLE reports ADD CONSTRAINT reports_action_taken_check
    CHECK (action_taken IN ('no_action', 'keep_apart', 'warn', 'remove', 'suspend', 'ban', 'not_of_age')) NOT VALID;
ALTER TABLE reports VALIDATE CONSTRAINT reports_action_taken_check;

CREATE TABLE removed_parts (
    id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The decision, which is stored after the parts, because it has their names.
    sanction_id  uuid NOT NULL REFERENCES sanctions ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    -- A slot of member_media, a prompt, or a text of users.
    part         text NOT NULL CHECK (part IN ('photo', 'header_banner', 'audio_greeting', 'video_greeting', 'gallery_image',
                     'gallery_video', 'prompt', 'bio', 'love_reflection', 'occupation')),
    -- Its former place in the slot or among the prompts; 0 for a text.
    position     smallint NOT NULL CHECK (position BETWEEN 0 AND 24),
    -- The picture or recording; NULL for a text, and for an answer without a recording.
    file_id      uuid UNIQUE REFERENCES files ON DELETE CASCADE,
    -- Of a prompt; empty for others.
    question     text NOT NULL DEFAULT '' CHECK (length(question) <= 120),
    -- The text, the answer, or the caption of a file.
    content      text NOT NULL DEFAULT '' CHECK (length(content) <= 1000),
    -- Of a photo, as in member_media.
    compared     boolean NOT NULL DEFAULT false,
    accepted     boolean NOT NULL DEFAULT true,
    removed_at   timestamptz NOT NULL DEFAULT now(),
    -- When it is deleted; NULL while an appeal against the decision waits.
    expires_at   timestamptz
);
COMMENT ON TABLE removed_parts IS
    'Parts of profiles that moderators removed. They are shown to nobody, and put back if an appeal is granted.';
CREATE INDEX removed_parts_member ON removed_parts (user_id);
CREATE INDEX removed_parts_sanction ON removed_parts (sanction_id);
CREATE INDEX removed_parts_end ON removed_parts (expires_at);

-- The removed parts as the moderators read them who decide on an appeal.
CREATE VIEW removed_contents AS
    SELECT
        r.sanction_id,
        r.user_id,
        r.part,
        r.position,
        r.question,
        r.content,
        r.file_id,
        f.content_type
    FROM removed_parts r
    LEFT JOIN files f ON f.id = r.file_id;

-- The same with the names of removed parts, which are none of those in force.
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
        s.automation,
        s.parts
    FROM sanctions s
    WHERE s.kind IN ('suspension', 'ban', 'review')
        AND (s.suspended_until IS NULL OR s.suspended_until > now())
        AND NOT EXISTS (
            SELECT
            FROM sanctions later
            WHERE later.user_id = s.user_id
                AND later.kind NOT IN ('warning', 'removal', 'reversal')
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

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
