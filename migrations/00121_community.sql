-- +goose Up

-- The community board: posts of members and of the admins, likes and comments. Posts and comments of members who are
-- not active are hidden, which the rows themselves say, so that the board reads no other table.

CREATE TABLE community_posts (
    -- Random, because visitors see it and it must not carry the time.
    id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    author_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- Chosen by the device, so that a repetition is recognised.
    client_id         uuid NOT NULL,
    title             text NOT NULL CHECK (length(title) BETWEEN 1 AND 120),
    excerpt           text NOT NULL CHECK (length(excerpt) BETWEEN 1 AND 300),
    -- Markdown.
    content           text NOT NULL CHECK (length(content) BETWEEN 1 AND 20000),
    category          text NOT NULL CHECK (category IN ('blog', 'community-story', 'advice', 'experience')),
    -- Only admins write in the category blog.
    is_admin_post     boolean GENERATED ALWAYS AS (category = 'blog') STORED,
    tags              text[] NOT NULL CHECK (cardinality(tags) BETWEEN 1 AND 10),
    -- A picture of this post alone; deleted with it.
    featured_image    uuid REFERENCES files ON DELETE SET NULL,
    -- pending: waits for a moderator.
    status            text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'published', 'rejected')),
    -- Told to the author; empty unless rejected.
    rejection_reason  text NOT NULL DEFAULT '' CHECK (length(rejection_reason) <= 500),
    -- Rises with each edit. A moderator decides on the version that they have read.
    version           integer NOT NULL DEFAULT 1 CHECK (version > 0),
    -- Of the message filter, for the moderators; NULL without one.
    flag              text CHECK (flag IN ('harassment', 'sexual_pressure', 'money', 'off_platform', 'spam')),
    -- The author's profile is not active.
    author_hidden     boolean NOT NULL DEFAULT false,
    -- Numbers of rows of post_likes, and of post_comments with is_counted. Written by triggers.
    like_count        integer NOT NULL DEFAULT 0 CHECK (like_count >= 0),
    comment_count     integer NOT NULL DEFAULT 0 CHECK (comment_count >= 0),
    has_more          boolean GENERATED ALWAYS AS (length(content) > length(excerpt)) STORED,
    search            tsvector GENERATED ALWAYS AS (
                          setweight(to_tsvector('english', title), 'A')
                          || setweight(to_tsvector('english', excerpt), 'B')
                          || setweight(to_tsvector('english', content), 'C')
                      ) STORED,
    created_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When the current version was sent to the moderators.
    submitted_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When it was first published; NULL before. It stays when the post is edited.
    published_at      timestamptz,
    -- The last decision; NULL while there is none, decided_by also for an official post and when that account was deleted.
    decided_at        timestamptz,
    decided_by        uuid REFERENCES users ON DELETE SET NULL,
    CONSTRAINT community_posts_once UNIQUE (author_id, client_id),
    CONSTRAINT community_posts_image UNIQUE (featured_image),
    CONSTRAINT community_posts_published CHECK (status <> 'published' OR published_at IS NOT NULL),
    CONSTRAINT community_posts_decided CHECK (status = 'pending' OR decided_at IS NOT NULL),
    CONSTRAINT community_posts_rejected CHECK ((status = 'rejected') = (rejection_reason <> ''))
) WITH (fillfactor = 80); -- likes and comments update the counts, within the page
COMMENT ON TABLE community_posts IS
    'Posts of the community board.';
CREATE INDEX community_posts_board ON community_posts (published_at DESC, id DESC) WHERE status = 'published' AND NOT author_hidden;
CREATE INDEX community_posts_category ON community_posts (category, published_at DESC, id DESC)
    WHERE status = 'published' AND NOT author_hidden;
CREATE INDEX community_posts_search ON community_posts USING gin (search) WHERE status = 'published' AND NOT author_hidden;
CREATE INDEX community_posts_author ON community_posts (author_id, created_at DESC, id DESC);
CREATE INDEX community_posts_pending ON community_posts (submitted_at, id) WHERE status = 'pending';
CREATE INDEX community_posts_decided ON community_posts (status, decided_at DESC, id DESC) WHERE status <> 'pending';
CREATE INDEX community_posts_decided_by ON community_posts (decided_by) WHERE decided_by IS NOT NULL;

CREATE TABLE post_likes (
    post_id     uuid NOT NULL REFERENCES community_posts ON DELETE CASCADE,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (post_id, user_id)
);
COMMENT ON TABLE post_likes IS
    'Likes of posts, one for each member and post. Others see their number only.';
CREATE INDEX post_likes_user ON post_likes (user_id, created_at DESC);

CREATE TABLE post_comments (
    id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    post_id        uuid NOT NULL REFERENCES community_posts ON DELETE CASCADE,
    -- The comment that this one replies to, which is not a reply itself; NULL for a comment on the post.
    parent_id      uuid REFERENCES post_comments ON DELETE CASCADE,
    -- NULL when the account was deleted and the comment has replies.
    author_id      uuid REFERENCES users ON DELETE CASCADE,
    -- Chosen by the device, so that a repetition is recognised; NULL with author_id.
    client_id      uuid,
    -- Plain text; empty when the comment was deleted.
    content        text NOT NULL CHECK (length(content) <= 1000),
    status         text NOT NULL DEFAULT 'approved' CHECK (status IN ('approved', 'hidden')),
    -- Of the message filter, for the moderators; NULL without one.
    flag           text CHECK (flag IN ('harassment', 'sexual_pressure', 'money', 'off_platform', 'spam')),
    -- The author's profile is not active.
    author_hidden  boolean NOT NULL DEFAULT false,
    created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When it was deleted, by its author or with the account, while it had replies; NULL for others.
    deleted_at     timestamptz,
    -- A moderator's last decision; NULL while there is none, decided_by also when that account was deleted.
    decided_at     timestamptz,
    decided_by     uuid REFERENCES users ON DELETE SET NULL,
    -- Shown to everyone who has not blocked its author, and counted.
    is_counted     boolean GENERATED ALWAYS AS (status = 'approved' AND deleted_at IS NULL AND NOT author_hidden) STORED,
    CONSTRAINT post_comments_once UNIQUE (author_id, client_id),
    CONSTRAINT post_comments_author CHECK (author_id IS NOT NULL AND client_id IS NOT NULL OR deleted_at IS NOT NULL),
    CONSTRAINT post_comments_content CHECK ((content = '') = (deleted_at IS NOT NULL))
);
COMMENT ON TABLE post_comments IS
    'Comments on posts, and replies to them.';
CREATE INDEX post_comments_thread ON post_comments (post_id, created_at, id) WHERE parent_id IS NULL;
CREATE INDEX post_comments_post ON post_comments (post_id, author_id) INCLUDE (is_counted);
CREATE INDEX post_comments_replies ON post_comments (parent_id, created_at, id) WHERE parent_id IS NOT NULL;
CREATE INDEX post_comments_author ON post_comments (author_id, post_id);
CREATE INDEX post_comments_newest ON post_comments (created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX post_comments_flagged ON post_comments (created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND flag IS NOT NULL AND decided_at IS NULL;
CREATE INDEX post_comments_hidden ON post_comments (created_at DESC, id DESC) WHERE deleted_at IS NULL AND status = 'hidden';
CREATE INDEX post_comments_decided_by ON post_comments (decided_by) WHERE decided_by IS NOT NULL;

-- Adds the inserted and removed likes to the counts. The posts are locked in the order of their ids, against deadlocks
-- between two statements that change likes of several posts, such as the deletions of two accounts.
-- +goose StatementBegin
CREATE FUNCTION count_post_likes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    PERFORM FROM community_posts WHERE id IN (SELECT post_id FROM changed) ORDER BY id FOR NO KEY UPDATE;
    UPDATE community_posts p
    SET like_count = p.like_count + sign * n.likes
    FROM (SELECT post_id, count(*)::integer AS likes FROM changed GROUP BY post_id) n
    WHERE p.id = n.post_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER post_likes_inserted AFTER INSERT ON post_likes
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_post_likes();
CREATE TRIGGER post_likes_deleted AFTER DELETE ON post_likes
    REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_post_likes();

-- Adds to the comment counts of posts. The order of the locks is that of count_post_likes.
-- +goose StatementBegin
CREATE FUNCTION add_to_comment_counts(posts uuid[], differences integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM community_posts WHERE id = ANY (posts) ORDER BY id FOR NO KEY UPDATE;
    UPDATE community_posts p
    SET comment_count = p.comment_count + d.difference
    FROM unnest(posts, differences) AS d (post_id, difference)
    WHERE p.id = d.post_id
        AND d.difference <> 0;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_inserted_comments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM add_to_comment_counts(array_agg(post_id), array_agg(counted))
    FROM (SELECT post_id, count(*) FILTER (WHERE is_counted)::integer AS counted FROM changed GROUP BY post_id) n
    HAVING count(*) > 0;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_deleted_comments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM add_to_comment_counts(array_agg(post_id), array_agg(-counted))
    FROM (SELECT post_id, count(*) FILTER (WHERE is_counted)::integer AS counted FROM changed GROUP BY post_id) n
    HAVING count(*) > 0;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_updated_comments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM add_to_comment_counts(array_agg(post_id), array_agg(difference))
    FROM (
        SELECT post_id, sum(sign)::integer AS difference
        FROM (
            SELECT post_id, 1 AS sign FROM after_update WHERE is_counted
            UNION ALL
            SELECT post_id, -1 FROM before_update WHERE is_counted
        ) c
        GROUP BY post_id
    ) n
    HAVING count(*) > 0;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER post_comments_inserted AFTER INSERT ON post_comments
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_comments();
CREATE TRIGGER post_comments_deleted AFTER DELETE ON post_comments
    REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_comments();
CREATE TRIGGER post_comments_updated AFTER UPDATE ON post_comments
    REFERENCING OLD TABLE AS before_update NEW TABLE AS after_update
    FOR EACH STATEMENT EXECUTE FUNCTION count_updated_comments();

-- Deletes the picture of a post that is deleted or gets another one.
-- +goose StatementBegin
CREATE FUNCTION community_posts_image_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM files WHERE id = OLD.featured_image;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER community_posts_deleted AFTER DELETE ON community_posts
    FOR EACH ROW
    WHEN (OLD.featured_image IS NOT NULL)
    EXECUTE FUNCTION community_posts_image_removed();
CREATE TRIGGER community_posts_image_changed AFTER UPDATE OF featured_image ON community_posts
    FOR EACH ROW
    WHEN (OLD.featured_image IS NOT NULL AND OLD.featured_image IS DISTINCT FROM NEW.featured_image)
    EXECUTE FUNCTION community_posts_image_removed();

-- Locks the posts of a member, and those that the member has liked or commented on, in the order of their ids. Each
-- change of comments locks their post first, so that two changes of the same rows wait for each other instead of
-- deadlocking.
-- +goose StatementBegin
CREATE FUNCTION lock_posts_of(member uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM community_posts
    WHERE id IN (
        SELECT id FROM community_posts WHERE author_id = member
        UNION
        SELECT post_id FROM post_likes WHERE user_id = member
        UNION
        SELECT post_id FROM post_comments WHERE author_id = member
    )
    ORDER BY id
    FOR UPDATE;
END $$;
-- +goose StatementEnd

-- Hides or shows what a member has written when the profile ceases to be active or becomes active again. The transaction
-- that writes a post or comment locks the member, so that it sees the change or is seen by it.
-- +goose StatementBegin
CREATE FUNCTION users_community_status_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lock_posts_of(NEW.id);
    UPDATE post_comments SET author_hidden = NEW.profile_status <> 'active' WHERE author_id = NEW.id;
    UPDATE community_posts SET author_hidden = NEW.profile_status <> 'active' WHERE author_id = NEW.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_community_status AFTER UPDATE OF profile_status ON users
    FOR EACH ROW
    WHEN ((OLD.profile_status = 'active') <> (NEW.profile_status = 'active'))
    EXECUTE FUNCTION users_community_status_changed();

-- Empties the comments of a deleted member that have replies by others; the foreign key deletes the rest. The locks wait
-- for replies that are being stored, and they for them.
-- +goose StatementBegin
CREATE FUNCTION users_community_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lock_posts_of(OLD.id);
    UPDATE post_comments c
    SET
        content = '',
        author_id = NULL,
        client_id = NULL,
        flag = NULL,
        deleted_at = clock_timestamp()
    WHERE c.author_id = OLD.id
        AND EXISTS (
            SELECT FROM post_comments r
            WHERE r.parent_id = c.id
                AND r.author_id IS DISTINCT FROM OLD.id
        );
    RETURN OLD;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_community_deleted BEFORE DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION users_community_deleted();

-- The posts that everyone reads who has not blocked the author or was blocked by them.
CREATE VIEW published_posts AS
    SELECT
        id AS post_id,
        author_id,
        title,
        like_count,
        published_at
    FROM community_posts
    WHERE status = 'published'
        AND NOT author_hidden;

-- What happened to a member on the board: an own post was published or rejected, or another member commented on it or
-- replied to a comment of the member's. Blocks are not respected. For the list of activity.
CREATE VIEW community_activity AS
    SELECT
        p.author_id     AS member_id,
        'post_published' AS kind,
        p.id            AS post_id,
        p.id            AS subject_id,
        p.title,
        NULL::uuid      AS other_id,
        p.published_at  AS happened_at
    FROM community_posts p
    WHERE p.status = 'published'
    UNION ALL
    SELECT
        p.author_id,
        'post_rejected',
        p.id,
        p.id,
        p.title,
        NULL,
        p.decided_at
    FROM community_posts p
    WHERE p.status = 'rejected'
    UNION ALL
    SELECT
        p.author_id,
        'comment_received',
        p.id,
        c.id,
        p.title,
        c.author_id,
        c.created_at
    FROM community_posts p
    JOIN post_comments c ON c.post_id = p.id AND c.is_counted AND c.author_id <> p.author_id
    WHERE p.status = 'published'
    UNION ALL
    SELECT
        parent.author_id,
        'reply_received',
        c.post_id,
        c.id,
        p.title,
        c.author_id,
        c.created_at
    FROM post_comments parent
    JOIN post_comments c ON c.parent_id = parent.id AND c.is_counted AND c.author_id <> parent.author_id
    JOIN community_posts p ON p.id = c.post_id AND p.status = 'published' AND p.author_id <> parent.author_id;
