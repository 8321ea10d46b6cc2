-- +goose Up

-- Couples who leave dating together, and the Legacy Wall.

CREATE TABLE graduated_couples (
    -- Random, because visitors see it on the wall and it must not carry the time.
    id               uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    -- Who asked.
    user_one_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- Who was asked; NULL if the address is not that of a match.
    user_two_id      uuid REFERENCES users ON DELETE CASCADE,
    -- As the asking member typed it, until the partner accepts; NULL when the partner was chosen from the matches.
    partner_address  text CHECK (length(partner_address) BETWEEN 3 AND 254),
    -- asked: waits for the partner; pending: for a moderator.
    status           text NOT NULL DEFAULT 'asked'
        CHECK (status IN ('asked', 'pending', 'graduated', 'declined', 'rejected', 'withdrawn')),
    legacy_message   text NOT NULL DEFAULT '' CHECK (length(legacy_message) <= 1000),
    requested_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When the partner accepted; NULL before.
    accepted_at      timestamptz,
    -- The moderator's approval, which is the graduation; approved_by is NULL also when that account was deleted.
    approved_at      timestamptz,
    approved_by      uuid REFERENCES users ON DELETE SET NULL,
    -- When it was declined, rejected or withdrawn. A job deletes the row 90 days later.
    ended_at         timestamptz,
    -- Told to a rejected couple; empty otherwise.
    reason           text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
    CONSTRAINT graduated_couples_two CHECK (user_one_id <> user_two_id),
    CONSTRAINT graduated_couples_asked CHECK (status <> 'asked' OR user_two_id IS NOT NULL OR partner_address IS NOT NULL),
    CONSTRAINT graduated_couples_accepted CHECK (status NOT IN ('pending', 'graduated') OR user_two_id IS NOT NULL AND accepted_at IS NOT NULL),
    CONSTRAINT graduated_couples_approved CHECK (status <> 'graduated' OR approved_at IS NOT NULL),
    CONSTRAINT graduated_couples_ended CHECK ((status IN ('declined', 'rejected', 'withdrawn')) = (ended_at IS NOT NULL)),
    CONSTRAINT graduated_couples_reason CHECK ((status = 'rejected') = (reason <> ''))
);
COMMENT ON TABLE graduated_couples IS 'Requests of couples to graduate, and the couples who did.';
CREATE INDEX graduated_couples_one ON graduated_couples (user_one_id, requested_at DESC);
CREATE INDEX graduated_couples_two ON graduated_couples (user_two_id, requested_at DESC);
CREATE INDEX graduated_couples_pending ON graduated_couples (accepted_at, id) WHERE status = 'pending';
CREATE INDEX graduated_couples_wall ON graduated_couples (approved_at DESC, id DESC) WHERE status = 'graduated';
CREATE INDEX graduated_couples_approved_by ON graduated_couples (approved_by) WHERE approved_by IS NOT NULL;
CREATE INDEX graduated_couples_asked_at ON graduated_couples (requested_at) WHERE status = 'asked';
CREATE INDEX graduated_couples_ended_at ON graduated_couples (ended_at) WHERE ended_at IS NOT NULL;

-- A row from the member's request or acceptance until the couple ends.
CREATE TABLE couple_members (
    -- The key, because a member is in one couple at a time.
    user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    couple_id  uuid NOT NULL REFERENCES graduated_couples ON DELETE CASCADE,
    -- Whether the member wants the couple on the wall. It is there when both do.
    on_wall    boolean NOT NULL,
    CONSTRAINT couple_members_couple UNIQUE (couple_id, user_id)
);
COMMENT ON TABLE couple_members IS 'The members of couples that have not ended, and their consent to the wall.';

CREATE TABLE couple_pictures (
    couple_id  uuid NOT NULL,
    user_id    uuid NOT NULL,
    position   smallint NOT NULL CHECK (position BETWEEN 1 AND 3),
    -- A picture of the member's profile. It leaves the wall when it is deleted there.
    file_id    uuid NOT NULL REFERENCES files ON DELETE CASCADE,
    PRIMARY KEY (couple_id, user_id, position),
    CONSTRAINT couple_pictures_file UNIQUE (file_id),
    FOREIGN KEY (couple_id, user_id) REFERENCES couple_members (couple_id, user_id) ON DELETE CASCADE
);
COMMENT ON TABLE couple_pictures IS 'The pictures that each member of a couple has chosen for the wall.';

-- The couples on the wall: both members want it, and neither is restricted or about to leave.
CREATE VIEW legacy_wall AS
    SELECT
        c.id,
        c.user_one_id,
        c.user_two_id,
        c.legacy_message,
        c.approved_at AS graduated_at
    FROM graduated_couples c
    JOIN profiles one ON one.id = c.user_one_id AND one.profile_status = 'active'
    JOIN profiles two ON two.id = c.user_two_id AND two.profile_status = 'active'
    WHERE c.status = 'graduated'
        AND NOT EXISTS (SELECT FROM couple_members m WHERE m.couple_id = c.id AND NOT m.on_wall);

-- Both members of each couple that has graduated and not ended, with the partner, while both are active.
CREATE VIEW graduated_partners AS
    SELECT
        c.id AS couple_id,
        me.user_id AS member_id,
        partner.user_id AS partner_id,
        c.approved_at AS graduated_at
    FROM couple_members me
    JOIN couple_members partner ON partner.couple_id = me.couple_id AND partner.user_id <> me.user_id
    JOIN graduated_couples c ON c.id = me.couple_id AND c.status = 'graduated'
    JOIN profiles a ON a.id = me.user_id AND a.profile_status = 'active'
    JOIN profiles b ON b.id = partner.user_id AND b.profile_status = 'active';

-- A couple as each of its two members sees it: a row for each member. A request to an address that is not that of a
-- match has none.
CREATE VIEW couple_sides AS
    SELECT
        id          AS couple_id,
        user_one_id AS member_id,
        user_two_id AS peer_id,
        true        AS has_asked,
        status,
        requested_at,
        accepted_at,
        approved_at,
        ended_at
    FROM graduated_couples
    WHERE user_two_id IS NOT NULL
    UNION ALL
    SELECT
        id,
        user_two_id,
        user_one_id,
        false,
        status,
        requested_at,
        accepted_at,
        approved_at,
        ended_at
    FROM graduated_couples
    WHERE user_two_id IS NOT NULL;

-- Ends the couple of two members who part, if there is one. The caller holds the lock of the pair.
CREATE FUNCTION end_couple(a uuid, b uuid) RETURNS void LANGUAGE sql AS $$
    WITH ended AS (
        UPDATE graduated_couples
        SET
            status = 'withdrawn',
            partner_address = NULL,
            ended_at = clock_timestamp()
        WHERE status IN ('asked', 'pending', 'graduated')
            AND (user_one_id = a AND user_two_id = b OR user_one_id = b AND user_two_id = a)
        RETURNING id
    )
    DELETE FROM couple_members
    WHERE couple_id IN (SELECT id FROM ended)
$$;
