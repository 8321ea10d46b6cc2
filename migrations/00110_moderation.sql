-- +goose Up

-- Blocks, reports, flagged messages and their evidence. Evidence is a copy, so that
-- unmatching, deleting a message or deleting an account does not remove it. A job
-- removes it 90 days after the decision.

CREATE TABLE address_blocks (
    id           uuid PRIMARY KEY,
    blocker_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- HMAC of the mailbox. The address itself is not stored.
    address_mac  bytea NOT NULL CHECK (length(address_mac) = 32),
    -- What the member calls the person; only the member sees it.
    label        text NOT NULL CHECK (length(label) BETWEEN 1 AND 60),
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT address_blocks_once UNIQUE (blocker_id, address_mac)
);
COMMENT ON TABLE address_blocks IS
    'Addresses that members block before someone joins with them, at most 100 for each member.';
CREATE INDEX address_blocks_address ON address_blocks (address_mac);
CREATE INDEX address_blocks_newest ON address_blocks (blocker_id, created_at DESC, id DESC);

CREATE TABLE blocks (
    blocker_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    blocked_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The address that blocks the member who has it, which no one sees; NULL for a block that the blocker chose.
    entry_id    uuid REFERENCES address_blocks ON DELETE CASCADE,
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT blocks_once UNIQUE NULLS NOT DISTINCT (blocker_id, blocked_id, entry_id),
    CONSTRAINT blocks_not_self CHECK (blocker_id <> blocked_id)
);
COMMENT ON TABLE blocks IS
    'Blocks. Each hides both members from each other.';
CREATE INDEX blocks_blocked ON blocks (blocked_id, blocker_id);
CREATE INDEX blocks_newest ON blocks (blocker_id, created_at DESC, blocked_id DESC) WHERE entry_id IS NULL;
CREATE INDEX blocks_entry ON blocks (entry_id) WHERE entry_id IS NOT NULL;

CREATE TABLE reports (
    id                uuid PRIMARY KEY,
    -- NULL when the account was deleted, and for a report of the external moderation.
    reporter_id       uuid REFERENCES users ON DELETE SET NULL,
    reported_user_id  uuid REFERENCES users ON DELETE SET NULL,
    reason            text NOT NULL CHECK (reason IN ('underage', 'threat', 'assault', 'nonconsensual_images', 'scam',
                          'hate', 'harassment', 'fake_profile', 'not_single', 'inappropriate', 'spam', 'other')),
    description       text NOT NULL DEFAULT '' CHECK (length(description) <= 2000),
    -- A member; the external moderation, which found something in a picture of the profile; a photo that looks like
    -- one of a banned member; or an issue, which is about no member and may come from a visitor.
    source            text NOT NULL DEFAULT 'member' CHECK (source IN ('member', 'pictures', 'ban', 'issue')),
    -- Where the member was shown; post and comment for what they wrote on the community board, rules for an issue.
    place             text NOT NULL CHECK (place IN ('card', 'profile', 'match', 'conversation', 'likes', 'post', 'comment', 'rules')),
    -- The post or comment that was reported; NULL for others. No foreign key: the row outlives both.
    content_id        uuid,
    -- What an issue is about; NULL for others.
    issue_kind        text CHECK (issue_kind IN ('safety', 'technical', 'account', 'community', 'other')),
    -- Where a visitor wants the answer to an issue; NULL without one, and when a job has removed it.
    reporter_address  text CHECK (length(reporter_address) BETWEEN 3 AND 254),
    -- To be reviewed within 1 h (0), 24 h (1) or 72 h (2).
    priority          smallint NOT NULL CHECK (priority BETWEEN 0 AND 2),
    -- Beyond the daily limit of its reporter; reviewed last.
    over_limit        boolean NOT NULL DEFAULT false,
    -- Keeps the profile of the reported member under review while pending.
    hides_profile     boolean NOT NULL DEFAULT false,
    status            text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'reviewed', 'resolved')),
    -- The profile at the time and the last 50 messages; empty when a job has removed them.
    evidence          jsonb NOT NULL DEFAULT '{}',
    created_at        timestamptz NOT NULL DEFAULT now(),
    -- When an admin first opened it; NULL before.
    opened_at         timestamptz,
    -- The admin and the decision; NULL while pending, the admin also when that account was deleted.
    reviewed_by       uuid REFERENCES users ON DELETE SET NULL,
    reviewed_at       timestamptz,
    action_taken      text CHECK (action_taken IN ('no_action', 'warn', 'suspend', 'ban', 'not_of_age')),
    -- End of the suspension; NULL for another decision.
    suspended_until   timestamptz,
    -- Mailed to the reported member; empty without a consequence. The answer to an issue, mailed to its reporter.
    explanation       text NOT NULL DEFAULT '' CHECK (length(explanation) <= 500),
    CONSTRAINT reports_source CHECK (source IN ('member', 'issue') OR reporter_id IS NULL),
    CONSTRAINT reports_issue CHECK (
        (source = 'issue') = (issue_kind IS NOT NULL)
        AND (source = 'issue') = (place = 'rules')
        AND (source <> 'issue' OR reported_user_id IS NULL)
        AND (source = 'issue' OR reporter_address IS NULL)),
    CONSTRAINT reports_content CHECK ((content_id IS NOT NULL) = (place IN ('post', 'comment'))),
    CONSTRAINT reports_suspension CHECK (suspended_until IS NULL OR action_taken = 'suspend')
);
COMMENT ON TABLE reports IS
    'Complaints about members and what they wrote, and issues that concern no member.';
CREATE INDEX reports_open ON reports (over_limit, priority, created_at, id) WHERE status = 'pending';
CREATE INDEX reports_decided ON reports (status, reviewed_at DESC, id DESC) WHERE status <> 'pending';
CREATE INDEX reports_evidence ON reports (reviewed_at) WHERE evidence <> '{}' AND status <> 'pending';
CREATE INDEX reports_issue_texts ON reports (reviewed_at) WHERE source = 'issue' AND description <> '' AND status <> 'pending';
CREATE INDEX reports_reporter ON reports (reporter_id, created_at DESC);
CREATE INDEX reports_reported ON reports (reported_user_id, created_at DESC);
CREATE INDEX reports_hiding ON reports (reported_user_id) WHERE status = 'pending' AND hides_profile;
-- For the admins' figures.
CREATE INDEX reports_created ON reports (created_at);
CREATE INDEX reports_reviewed_by ON reports (reviewed_by) WHERE reviewed_by IS NOT NULL;

-- The members whose profiles are under review because of a pending report.
CREATE VIEW members_under_report AS
    SELECT reported_user_id AS user_id
    FROM reports
    WHERE status = 'pending'
        AND hides_profile
        AND reported_user_id IS NOT NULL;

CREATE TABLE message_flags (
    -- No foreign keys of the message and the conversation: the row outlives both.
    message_id       uuid PRIMARY KEY,
    conversation_id  uuid NOT NULL,
    seq              bigint NOT NULL,
    -- NULL when the account was deleted.
    sender_id        uuid REFERENCES users ON DELETE SET NULL,
    receiver_id      uuid REFERENCES users ON DELETE SET NULL,
    -- Copy of the text; empty when a job has removed it.
    content          text NOT NULL,
    -- NULL when only the recipient flagged the message.
    category         text CHECK (category IN ('harassment', 'sexual_pressure', 'money', 'off_platform', 'spam')),
    -- Of the filter; NULL when the recipient flagged the message, and until a job has stored it.
    score            real CHECK (score BETWEEN 0 AND 1),
    source           text NOT NULL CHECK (source IN ('filter', 'receiver', 'external')),
    -- Of the recipient; NULL without one.
    answer           text CHECK (answer IN ('fine', 'bothers')),
    answered_at      timestamptz,
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The admin and the decision; NULL while there is none, the admin also when that account was deleted.
    reviewed_by      uuid REFERENCES users ON DELETE SET NULL,
    reviewed_at      timestamptz,
    decision         text CHECK (decision IN ('dismiss', 'warn', 'suspend')),
    -- In the queue. The answer "fine" takes a flag out of it, unless it is about money: the targets of such
    -- a request often notice too late.
    open             boolean GENERATED ALWAYS AS (
                         reviewed_at IS NULL
                         AND (answer IS NULL OR answer = 'bothers' OR category IS NOT DISTINCT FROM 'money')
                     ) STORED,
    -- Order of the queue: messages that bother the recipient first, then by category.
    rank             smallint GENERATED ALWAYS AS (
                         CASE WHEN answer = 'bothers' THEN 0 ELSE 10 END
                         + CASE category
                             WHEN 'money' THEN 1
                             WHEN 'sexual_pressure' THEN 2
                             WHEN 'harassment' THEN 3
                             WHEN 'off_platform' THEN 5
                             WHEN 'spam' THEN 6
                             ELSE 4
                         END
                     ) STORED,
    CONSTRAINT message_flags_decided CHECK ((reviewed_at IS NULL) = (decision IS NULL))
);
COMMENT ON TABLE message_flags IS
    'Messages that an admin should review: flagged by the filter, by the external moderation if configured, or by the '
    'recipient. Written by the triggers on messages and by moderation.';
CREATE INDEX message_flags_open ON message_flags (rank, created_at, message_id) WHERE open;
CREATE INDEX message_flags_sender ON message_flags (sender_id, created_at DESC);
CREATE INDEX message_flags_receiver ON message_flags (receiver_id) WHERE receiver_id IS NOT NULL;
CREATE INDEX message_flags_reviewed_by ON message_flags (reviewed_by) WHERE reviewed_by IS NOT NULL;
CREATE INDEX message_flags_evidence ON message_flags (coalesce(reviewed_at, answered_at)) WHERE content <> '' AND NOT open;

-- Runs in the transaction that stores the message or the recipient's answer. An
-- existing row keeps its source, score and text; a flag that the recipient raises is
-- opened again.
-- +goose StatementBegin
CREATE FUNCTION store_message_flag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO message_flags AS f (
        message_id,
        conversation_id,
        seq,
        sender_id,
        receiver_id,
        content,
        category,
        source,
        answer,
        answered_at
    )
    SELECT
        NEW.id,
        c.id,
        NEW.seq,
        NEW.sender_id,
        CASE c.user_a WHEN NEW.sender_id THEN c.user_b ELSE c.user_a END,
        NEW.content,
        NEW.flag,
        CASE WHEN NEW.flag IS NULL THEN 'receiver' ELSE 'filter' END,
        NEW.flag_answer,
        CASE WHEN NEW.flag_answer IS NOT NULL THEN clock_timestamp() END
    FROM conversations c
    WHERE c.id = NEW.conversation_id
    ON CONFLICT (message_id) DO UPDATE SET
        category = coalesce(excluded.category, f.category),
        answer = excluded.answer,
        answered_at = CASE
            WHEN f.answer IS DISTINCT FROM excluded.answer THEN excluded.answered_at
            ELSE f.answered_at
        END,
        content = coalesce(nullif(f.content, ''), excluded.content),
        reviewed_at = CASE
            WHEN excluded.answer = 'bothers' AND f.answer IS DISTINCT FROM 'bothers' THEN NULL
            ELSE f.reviewed_at
        END,
        decision = CASE
            WHEN excluded.answer = 'bothers' AND f.answer IS DISTINCT FROM 'bothers' THEN NULL
            ELSE f.decision
        END;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER messages_flagged AFTER INSERT ON messages
    FOR EACH ROW
    WHEN (NEW.flag IS NOT NULL)
    EXECUTE FUNCTION store_message_flag();
CREATE TRIGGER messages_flag_changed AFTER UPDATE OF flag, flag_answer ON messages
    FOR EACH ROW
    WHEN (NEW.flag IS DISTINCT FROM OLD.flag OR NEW.flag_answer IS DISTINCT FROM OLD.flag_answer)
    EXECUTE FUNCTION store_message_flag();

CREATE TABLE sanctions (
    -- A warning's is chosen by the client, so that a repetition is recognised.
    id               uuid PRIMARY KEY,
    user_id          uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind             text NOT NULL CHECK (kind IN ('warning', 'suspension', 'ban', 'review', 'reinstatement')),
    -- End of a suspension; NULL for the other kinds.
    suspended_until  timestamptz,
    -- Mailed to the member; empty for one about a flagged message, whose mail is always the same.
    explanation      text NOT NULL CHECK (length(explanation) <= 500),
    -- When the account of a member who is not of age is deleted, unless the ban is taken back; NULL for others.
    deletes_at       timestamptz CHECK (deletes_at IS NULL OR kind = 'ban'),
    -- The report or flagged message that was decided; NULL for others. No foreign keys: the row outlives both.
    report_id        uuid,
    message_id       uuid,
    -- The admin; NULL when that account was deleted.
    decided_by       uuid REFERENCES users ON DELETE SET NULL,
    created_at       timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sanctions_end CHECK ((suspended_until IS NOT NULL) = (kind = 'suspension'))
);
COMMENT ON TABLE sanctions IS
    'What admins decided about members: warnings, suspensions, reviews and their ends. Deleted with the account.';
CREATE INDEX sanctions_member ON sanctions (user_id, created_at DESC, id DESC);
CREATE INDEX sanctions_decided_by ON sanctions (decided_by) WHERE decided_by IS NOT NULL;

CREATE TABLE appeals (
    -- One appeal for each sanction.
    sanction_id  uuid PRIMARY KEY REFERENCES sanctions ON DELETE CASCADE,
    -- The member of the sanction.
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- Empty when a job has removed it.
    content      text NOT NULL CHECK (length(content) <= 2000),
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When an admin first opened it; NULL before.
    opened_at    timestamptz,
    -- The admin and the decision; NULL while pending, the admin also when that account was deleted.
    decided_by   uuid REFERENCES users ON DELETE SET NULL,
    decided_at   timestamptz,
    outcome      text CHECK (outcome IN ('upheld', 'lifted')),
    -- Mailed to the member; empty while pending.
    explanation  text NOT NULL DEFAULT '' CHECK (length(explanation) <= 500),
    CONSTRAINT appeals_decided CHECK ((decided_at IS NULL) = (outcome IS NULL))
);
COMMENT ON TABLE appeals IS
    'What members wrote against sanctions, and what admins decided on that. Deleted with the account.';
CREATE INDEX appeals_open ON appeals (created_at, sanction_id) WHERE outcome IS NULL;
CREATE INDEX appeals_closed ON appeals (decided_at DESC, sanction_id DESC) WHERE outcome IS NOT NULL;
CREATE INDEX appeals_member ON appeals (user_id);
CREATE INDEX appeals_decided_by ON appeals (decided_by) WHERE decided_by IS NOT NULL;
CREATE INDEX appeals_content ON appeals (decided_at) WHERE content <> '';

-- The suspensions, bans and reviews that still have an effect: their time is not over, no successful appeal ended them,
-- and no admin has set another status since. Decisions on reports and flags do not end earlier sanctions.
CREATE VIEW sanctions_in_force AS
    SELECT
        s.id,
        s.user_id,
        s.kind,
        s.suspended_until,
        s.explanation,
        s.report_id,
        s.message_id,
        s.deletes_at,
        s.created_at
    FROM sanctions s
    WHERE s.kind IN ('suspension', 'ban', 'review')
        AND (s.suspended_until IS NULL OR s.suspended_until > now())
        AND NOT EXISTS (
            SELECT
            FROM sanctions later
            WHERE later.user_id = s.user_id
                AND later.kind <> 'warning'
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

CREATE TABLE evidence_files (
    -- The report, or the flagged message. No foreign keys: the row outlives file and message.
    subject_id    uuid NOT NULL,
    file_id       uuid NOT NULL,
    -- The message of the file; NULL for a file of the profile.
    message_id    uuid,
    -- The place of the file in the profile, or post for the picture of a post; NULL for a file of a message.
    slot          text CHECK (slot IN ('photo', 'header_banner', 'audio_greeting', 'video_greeting',
                      'gallery_image', 'gallery_video', 'prompt', 'post')),
    -- Order within the message or slot.
    position      smallint NOT NULL,
    content_type  text NOT NULL,
    PRIMARY KEY (subject_id, file_id),
    CONSTRAINT evidence_files_place CHECK ((message_id IS NULL) <> (slot IS NULL))
);
COMMENT ON TABLE evidence_files IS
    'Files of reported profiles and of reported and flagged messages, stored as long as the texts. A row only prevents the '
    'removal of the blobs; members can open a file only by its row in files. Only admins read this table.';
CREATE INDEX evidence_files_file ON evidence_files (file_id);

-- Files whose blobs stay although the files are deleted. platform/blobs reads it.
CREATE VIEW retained_files AS
    SELECT file_id
    FROM evidence_files;

-- Stores the files of messages as evidence for a report or a flag. The lock waits for
-- a concurrent delete of the file, after which there is no file to store.
CREATE FUNCTION store_evidence_files(subject uuid, messages uuid[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO evidence_files (subject_id, file_id, message_id, position, content_type)
    SELECT subject, f.id, m.id, mf.position, f.content_type
    FROM messages m
    JOIN message_files mf ON mf.conversation_id = m.conversation_id AND mf.seq = m.seq
    JOIN files f ON f.id = mf.file_id
    WHERE m.id = ANY (messages)
    FOR KEY SHARE OF f
    ON CONFLICT DO NOTHING
$$;

-- Stores the files of the member's profile as evidence for a report. The lock is that of
-- store_evidence_files.
CREATE FUNCTION store_profile_evidence(subject uuid, member uuid) RETURNS void LANGUAGE sql AS $$
    INSERT INTO evidence_files (subject_id, file_id, slot, position, content_type)
    SELECT subject, f.id, p.slot, p.position, f.content_type
    FROM profile_files p
    JOIN files f ON f.id = p.file_id
    WHERE p.user_id = member
    FOR KEY SHARE OF f
    ON CONFLICT DO NOTHING
$$;

-- Stores the picture of a post as evidence for a report. The lock is that of store_evidence_files.
CREATE FUNCTION store_post_evidence(subject uuid, picture uuid) RETURNS void LANGUAGE sql AS $$
    INSERT INTO evidence_files (subject_id, file_id, slot, position, content_type)
    SELECT subject, f.id, 'post', 0, f.content_type
    FROM files f
    WHERE f.id = picture
    FOR KEY SHARE OF f
    ON CONFLICT DO NOTHING
$$;

-- A message may be flagged after its files were stored, or again after the evidence
-- of a closed flag was removed.
-- +goose StatementBegin
CREATE FUNCTION store_files_of_flag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM store_evidence_files(NEW.message_id, ARRAY[NEW.message_id]);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER message_flags_inserted AFTER INSERT ON message_flags
    FOR EACH ROW EXECUTE FUNCTION store_files_of_flag();
CREATE TRIGGER message_flags_opened AFTER UPDATE ON message_flags
    FOR EACH ROW
    WHEN (NEW.open AND NOT OLD.open)
    EXECUTE FUNCTION store_files_of_flag();

-- The files of a message may be stored after it was flagged.
-- +goose StatementBegin
CREATE FUNCTION store_file_of_flagged_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM store_evidence_files(m.id, ARRAY[m.id])
    FROM messages m
    JOIN message_flags f ON f.message_id = m.id
    WHERE m.conversation_id = NEW.conversation_id
        AND m.seq = NEW.seq;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER message_files_flagged AFTER INSERT ON message_files
    FOR EACH ROW EXECUTE FUNCTION store_file_of_flagged_message();

CREATE TABLE audit_log (
    -- Without gaps, in the order of the commits. This and the columns after detail are set by a trigger.
    id          bigint PRIMARY KEY,
    -- No foreign key: the row outlives the account. All zeros for the command line.
    admin_id    uuid NOT NULL,
    action      text NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
    -- The member or message concerned; NULL for none.
    subject_id  uuid,
    reason      text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
    detail      jsonb NOT NULL DEFAULT '{}',
    created_at  timestamptz NOT NULL,
    -- The hash of the previous row, zeros for the first, and the SHA-256 of that and of this row. So a
    -- changed, removed or inserted row breaks the chain, which "heartward admin verify-audit" checks.
    prev_hash   bytea NOT NULL CHECK (length(prev_hash) = 32),
    hash        bytea NOT NULL CHECK (length(hash) = 32)
);
COMMENT ON TABLE audit_log IS
    'What admins did. Rows are only added: the role of the serving processes may only insert and read (pg.GrantServing).';
CREATE INDEX audit_log_subject ON audit_log (subject_id, id DESC);
CREATE INDEX audit_log_admin ON audit_log (admin_id, id DESC);
-- For the reason with which an admin has opened a report or a flag in the last hour.
CREATE INDEX audit_log_opened ON audit_log (admin_id, action, created_at DESC);
CREATE INDEX audit_log_action ON audit_log (action, id DESC);
-- For the rows of a period, whose ids lie between those of its first and its last row.
CREATE INDEX audit_log_created ON audit_log (created_at, id);

-- Appends a row to the chain. The lock lasts until the end of the transaction, so that ids, times and hashes follow the
-- order of the commits. moderation.VerifyAudit computes the same hash.
-- +goose StatementBegin
CREATE FUNCTION audit_log_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('audit_log', 0));
    -- A clock that was set back does not change the order of the times.
    SELECT id + 1, hash, greatest(created_at, clock_timestamp())
    INTO NEW.id, NEW.prev_hash, NEW.created_at
    FROM audit_log
    ORDER BY id DESC
    LIMIT 1;
    IF NOT FOUND THEN
        NEW.id := 1;
        NEW.prev_hash := decode(repeat('00', 32), 'hex');
        NEW.created_at := clock_timestamp();
    END IF;
    NEW.hash := sha256(NEW.prev_hash || convert_to(jsonb_build_array(
        NEW.id,
        NEW.admin_id,
        NEW.action,
        NEW.subject_id,
        NEW.reason,
        NEW.detail,
        (extract(epoch FROM NEW.created_at) * 1000000)::bigint
    )::text, 'UTF8'));
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_log_chain BEFORE INSERT ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_chain();

-- Refuses every change of existing rows, also by the program itself.
-- +goose StatementBegin
CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_log is append-only';
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();

-- The pairs that must not see each other: a row for each side of a block.
CREATE VIEW blocked_pairs AS
    SELECT blocker_id AS member_id, blocked_id AS peer_id FROM blocks
    UNION ALL
    SELECT blocked_id, blocker_id FROM blocks;

-- Flags a message with a category of the external moderation. Returns false when it is
-- flagged already.
-- +goose StatementBegin
CREATE FUNCTION raise_message_flag(m messages, receiver uuid, category text, score real) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, category, score, source)
    VALUES (m.id, m.conversation_id, m.seq, m.sender_id, receiver, m.content, category, score, 'external')
    ON CONFLICT DO NOTHING;
    RETURN FOUND;
END $$;
-- +goose StatementEnd

-- The decisions on the reports of a member, without the reported member.
CREATE VIEW decided_reports AS
    SELECT
        id,
        reporter_id,
        action_taken,
        reviewed_at
    FROM reports
    WHERE status <> 'pending'
        AND reporter_id IS NOT NULL;

-- The decisions about a member, without their reasons.
CREATE VIEW member_sanctions AS
    SELECT
        id,
        user_id,
        kind,
        created_at
    FROM sanctions;

-- The decisions on the appeals of a member.
CREATE VIEW decided_appeals AS
    SELECT
        sanction_id,
        user_id,
        outcome,
        decided_at
    FROM appeals
    WHERE outcome IS NOT NULL;
