-- +goose Up

-- Badges, which members earn by what they do.

CREATE TABLE badges (
    id             uuid PRIMARY KEY,
    name           text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 40),
    -- What earning it says, in a sentence.
    description    text NOT NULL CHECK (length(description) <= 160),
    -- What must be done for it.
    requirements   text NOT NULL CHECK (length(requirements) <= 160),
    -- The picture that the app draws.
    icon           text NOT NULL UNIQUE CHECK (icon ~ '^[a-z_]{1,40}$'),
    -- A tone of the app's palette.
    color_palette  text NOT NULL CHECK (color_palette IN ('ember', 'plum', 'marigold', 'sage', 'sky')),
    category       text NOT NULL CHECK (category IN ('profile', 'social', 'engagement', 'referral')),
    -- What is counted (a key of api/badges/criteria.go), and how much of it earns the badge.
    criterion      text NOT NULL CHECK (criterion ~ '^[a-z_]{1,40}$'),
    needed         integer NOT NULL CHECK (needed BETWEEN 1 AND 1000),
    -- Whether others see it on the profile of a member who has it. A badge that tells about likes, matches or
    -- conversations is the member's own.
    is_public      boolean NOT NULL,
    -- An inactive badge is neither listed nor awarded; who has it keeps it.
    is_active      boolean NOT NULL DEFAULT true,
    -- Order within the category.
    position       smallint NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT badges_position UNIQUE (category, position)
);
COMMENT ON TABLE badges IS 'The badges and what earns them.';

INSERT INTO badges (id, category, position, icon, name, color_palette, criterion, needed, is_public, description, requirements) VALUES
    ('019a0000-0000-7000-8000-000000000101', 'profile', 1, 'profile_complete', 'Profile Complete', 'ember', 'profile_percent', 80, true,
     'People can see who you are.', 'Fill in 80% of your profile'),
    ('019a0000-0000-7000-8000-000000000102', 'profile', 2, 'picture_story', 'Picture Story', 'sky', 'photos', 4, true,
     'Four pictures tell more than one.', 'Add 4 photos'),
    ('019a0000-0000-7000-8000-000000000103', 'profile', 3, 'true_voice', 'True Voice', 'plum', 'voice_greetings', 1, true,
     'Your voice says hello for you.', 'Record a voice greeting'),
    ('019a0000-0000-7000-8000-000000000104', 'social', 1, 'first_like', 'First Like', 'ember', 'likes_sent', 1, false,
     'You showed interest in someone.', 'Like someone'),
    ('019a0000-0000-7000-8000-000000000105', 'social', 2, 'first_match', 'First Match', 'marigold', 'matches', 1, false,
     'You and someone like each other.', 'Match with someone'),
    ('019a0000-0000-7000-8000-000000000106', 'social', 3, 'social_butterfly', 'Social Butterfly', 'sky', 'matches', 10, false,
     'Ten people and you like each other.', 'Match with 10 people'),
    ('019a0000-0000-7000-8000-000000000107', 'social', 4, 'heart_throb', 'Heart Throb', 'plum', 'likes_received', 25, false,
     'Twenty-five people like you.', 'Receive 25 likes'),
    ('019a0000-0000-7000-8000-000000000108', 'engagement', 1, 'first_message', 'First Message', 'ember', 'conversations', 1, false,
     'You wrote the first line of something.', 'Send a message'),
    ('019a0000-0000-7000-8000-000000000109', 'engagement', 2, 'conversation_starter', 'Conversation Starter', 'sage', 'conversations_started', 5, false,
     'You go first, and that takes heart.', 'Write the first message in 5 conversations'),
    ('019a0000-0000-7000-8000-00000000010a', 'engagement', 3, 'vibe_champion', 'Vibe Champion', 'marigold', 'lasting_conversations', 5, false,
     'Your conversations have room to grow.', '5 conversations lasting 24+ hours'),
    ('019a0000-0000-7000-8000-00000000010b', 'engagement', 4, 'active_user', 'Active User', 'sky', 'active_days', 7, false,
     'You keep looking with an open heart.', 'Like someone on 7 different days'),
    ('019a0000-0000-7000-8000-00000000010c', 'referral', 1, 'good_company', 'Good Company', 'sage', 'referrals', 1, true,
     'A friend joined because of you.', 'Invite a friend who completes their profile'),
    ('019a0000-0000-7000-8000-00000000010d', 'referral', 2, 'referral_rockstar', 'Referral Rockstar', 'ember', 'referrals', 5, true,
     'Five friends joined because of you.', 'Invite 5 friends who complete their profiles'),
    ('019a0000-0000-7000-8000-00000000010e', 'referral', 3, 'matchmaker', 'Matchmaker', 'plum', 'referrals', 10, true,
     'Ten friends joined because of you.', 'Invite 10 friends who complete their profiles'),
    ('019a0000-0000-7000-8000-00000000010f', 'referral', 4, 'love_guru', 'Love Guru', 'marigold', 'referrals', 25, true,
     'Twenty-five friends joined because of you.', 'Invite 25 friends who complete their profiles');

CREATE TABLE user_badges (
    id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    badge_id     uuid NOT NULL REFERENCES badges,
    earned_at    timestamptz NOT NULL DEFAULT now(),
    -- Whether the member has closed its celebration.
    is_notified  boolean NOT NULL DEFAULT false,
    CONSTRAINT user_badges_once UNIQUE (user_id, badge_id)
);
COMMENT ON TABLE user_badges IS 'The badges that members have. They stay when what earned them is gone.';
CREATE INDEX user_badges_newest ON user_badges (user_id, earned_at DESC, id DESC);
CREATE INDEX user_badges_badge ON user_badges (badge_id);

-- The badges of members as other features may read them.
CREATE VIEW earned_badges AS
    SELECT
        e.id,
        e.user_id,
        e.badge_id,
        b.name,
        b.description,
        b.icon,
        b.color_palette,
        e.earned_at,
        e.is_notified
    FROM user_badges e
    JOIN badges b ON b.id = e.badge_id;
