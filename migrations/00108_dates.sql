-- +goose Up

-- Dates that two members plan in their conversation.

CREATE TABLE dates (
    id               uuid PRIMARY KEY,
    conversation_id  uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
    created_by       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- Chosen by the creator's device: a retry finds its first result.
    client_id        uuid NOT NULL,
    place            text NOT NULL CHECK (length(btrim(place)) > 0 AND length(place) <= 120),
    note             text NOT NULL DEFAULT '' CHECK (length(note) <= 300),
    at               timestamptz NOT NULL,
    -- IANA name, of the member who proposed the plan.
    time_zone        text NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 64),
    status           text NOT NULL DEFAULT 'proposed' CHECK (status IN ('proposed', 'accepted', 'declined', 'cancelled')),
    -- Increases with each change. A caller gives the last one it has seen, so that of two concurrent
    -- changes one is refused.
    revision         integer NOT NULL DEFAULT 1 CHECK (revision > 0),
    -- Who proposed the current plan, and who changed it last. They are members of the conversation: no
    -- foreign keys.
    proposed_by      uuid NOT NULL,
    proposed_at      timestamptz NOT NULL DEFAULT now(),
    changed_by       uuid NOT NULL,
    -- NULL unless accepted.
    accepted_at      timestamptz,
    -- The seq of the newest message about the date.
    message_seq      bigint NOT NULL CHECK (message_seq > 0),
    created_at       timestamptz NOT NULL DEFAULT now(),
    updated_at       timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT dates_client UNIQUE (created_by, client_id),
    -- 366 days.
    CONSTRAINT dates_time CHECK (at > proposed_at AND at <= proposed_at + interval '8784 hours'),
    CONSTRAINT dates_answer CHECK (status NOT IN ('accepted', 'declined') OR changed_by <> proposed_by),
    CONSTRAINT dates_accepted CHECK ((status = 'accepted') = (accepted_at IS NOT NULL))
);
COMMENT ON TABLE dates IS
    'Planned dates. Each change also sends a message to the conversation.';
CREATE INDEX dates_conversation ON dates (conversation_id, at, id);

CREATE TABLE date_shares (
    -- SHA-256 of the token in the link.
    token_hash  bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    date_id     uuid NOT NULL REFERENCES dates ON DELETE CASCADE,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at  timestamptz NOT NULL DEFAULT now(),
    -- The link also ends a day after the date.
    expires_at  timestamptz NOT NULL,
    CONSTRAINT date_shares_time CHECK (expires_at > created_at AND expires_at <= created_at + interval '367 days')
);
COMMENT ON TABLE date_shares IS
    'Links by which a member shows a date to a trusted friend. Ending a link deletes the row; a job deletes expired ones.';
CREATE INDEX date_shares_date ON date_shares (date_id, user_id);
CREATE INDEX date_shares_user ON date_shares (user_id);
CREATE INDEX date_shares_end ON date_shares (expires_at);

CREATE TABLE date_feedback (
    date_id      uuid NOT NULL REFERENCES dates ON DELETE CASCADE,
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    met          text NOT NULL CHECK (met IN ('yes', 'no', 'not_yet')),
    -- NULL without an answer.
    felt_safe    boolean,
    note         text NOT NULL DEFAULT '' CHECK (length(note) <= 500),
    answered_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (date_id, user_id)
);
COMMENT ON TABLE date_feedback IS
    'Feedback of a member on a date, which is returned to that member only.';
CREATE INDEX date_feedback_user ON date_feedback (user_id);

-- Closing a conversation (unmatch, block, leaving) cancels its future dates and
-- deletes all links to its dates in the same transaction.
-- +goose StatementBegin
CREATE FUNCTION conversations_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM date_shares s
    USING dates d
    WHERE d.id = s.date_id
        AND d.conversation_id = NEW.id;
    UPDATE dates
    SET
        status = 'cancelled',
        accepted_at = NULL,
        revision = revision + 1,
        updated_at = now()
    WHERE conversation_id = NEW.id
        AND status IN ('proposed', 'accepted')
        AND at > now();
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER conversations_closed AFTER UPDATE OF closed_at ON conversations
    FOR EACH ROW
    WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL)
    EXECUTE FUNCTION conversations_closed();

-- The accepted dates of open conversations: a row for each of the two members.
-- did_not_meet is the member's own feedback.
CREATE VIEW planned_dates AS
    SELECT
        d.id                       AS date_id,
        c.member_id,
        c.peer_id,
        d.at,
        d.time_zone,
        d.accepted_at,
        c.requested_by IS NOT NULL AS in_request,
        EXISTS (
            SELECT FROM date_feedback f
            WHERE f.date_id = d.id
                AND f.user_id = c.member_id
                AND f.met = 'no'
        )                          AS did_not_meet
    FROM dates d
    JOIN conversation_sides c ON c.conversation_id = d.conversation_id
    WHERE d.status = 'accepted'
        AND c.closed_at IS NULL;

-- The dates of open conversations as each of the two members sees them: a row for each member. A declined request is
-- shown to its sender only.
CREATE VIEW date_sides AS
    SELECT
        d.id AS date_id,
        c.member_id,
        c.peer_id,
        d.status,
        d.at,
        d.proposed_by,
        d.proposed_at,
        d.changed_by,
        d.accepted_at,
        d.updated_at
    FROM dates d
    JOIN conversation_sides c ON c.conversation_id = d.conversation_id
    WHERE c.closed_at IS NULL
        AND (c.declined_at IS NULL OR c.requested_by = c.member_id);
