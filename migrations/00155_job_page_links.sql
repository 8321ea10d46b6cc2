-- +goose Up
CREATE TABLE job_page_links (
    -- SHA-256. The token itself is in the address of the link, or in the cookie.
    token_hash  bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    -- The admin's session in the dashboard: its end closes the job pages.
    session_id  uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
    -- A link is valid for a minute and once, and its use makes a cookie, which is valid for an hour.
    is_cookie   boolean NOT NULL,
    expires_at  timestamptz NOT NULL
);
COMMENT ON TABLE job_page_links IS
    'Links with which admins open River''s pages at the address of the metrics, and the cookies of those who did. A job deletes the row after its end.';
CREATE INDEX job_page_links_session ON job_page_links (session_id);
CREATE INDEX job_page_links_expires ON job_page_links (expires_at);
