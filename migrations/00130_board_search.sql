-- +goose Up
-- The search of the community board ignores accents, finds the beginnings of words, and reads tags.

-- Returns a text without its accents, so that "Tomas" finds "Tomás" and the other way round. The limit is that of a
-- post's content: the words of a longer text could exceed the size of a tsvector.
CREATE FUNCTION fold_accents(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN normalize(regexp_replace(normalize(left(value, 20000), NFD), '[\u0300-\u036f]', '', 'g'), NFC);

-- Returns the words of a text: their stems for whole words, and the words themselves for beginnings, because "runni" is
-- the beginning of "running" and not of its stem "run".
CREATE FUNCTION board_words(value text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN to_tsvector('english'::regconfig, fold_accents(value)) || to_tsvector('simple'::regconfig, fold_accents(value));

-- Returns the words of a post. PostgreSQL declares array_to_string as not immutable because of types whose text depends on
-- settings, which text itself does not.
CREATE FUNCTION board_vector(title text, excerpt text, tags text[], content text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN setweight(board_words(title), 'A')
    || setweight(board_words(excerpt || ' ' || array_to_string(tags, ' ')), 'B')
    || setweight(board_words(content), 'C');

-- Returns the query for words that search engines understand: quotes, a minus and "or". The last word, if it is given, is
-- also found as the beginning of a word, together with the words before it. It consists of letters and digits only. The
-- query is empty, and finds nothing, if all words are as common as "the".
CREATE FUNCTION board_query(words text, before_last text, last_word text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN websearch_to_tsquery('english'::regconfig, fold_accents(words))
    || CASE
        WHEN numnode(websearch_to_tsquery('english'::regconfig, fold_accents(last_word))) > 0
            THEN websearch_to_tsquery('english'::regconfig, fold_accents(before_last))
                && (quote_literal(lower(fold_accents(last_word))) || ':*')::tsquery
        ELSE ''::tsquery
    END;

-- The table is rewritten under an exclusive lock, once: it has some thousand rows of a few kilobytes. The previous version
-- of the server searches the new column with the same condition.
ALTER TABLE community_posts
    DROP COLUMN search,
    ADD COLUMN search tsvector GENERATED ALWAYS AS (
        -- Without the category, which is always a tag: "story" and "advice" would find a third of the board.
        board_vector(title, excerpt, array_remove(tags, category), content)
    ) STORED;
CREATE INDEX community_posts_search ON community_posts USING gin (search) WHERE status = 'published' AND NOT author_hidden;
