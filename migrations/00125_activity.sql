-- +goose Up

-- What members have read of their notifications. The notifications have no table: they are read from the views of the
-- features that they are about.

CREATE TABLE notification_positions (
    user_id     uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- Notifications up to this time are read.
    read_until  timestamptz NOT NULL
);
COMMENT ON TABLE notification_positions IS
    'The position up to which a member has read the notifications; without a row, the member has read none.';

CREATE TABLE read_notifications (
    user_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The id of the notification in the list. No foreign key: it is made of the kind and the row that it was read from.
    item     text NOT NULL CHECK (length(item) BETWEEN 3 AND 80),
    -- The time of the notification when it was read. A group, such as the likes of a day, is unread again when it has
    -- a later one.
    read_at  timestamptz NOT NULL,
    PRIMARY KEY (user_id, item)
);
COMMENT ON TABLE read_notifications IS
    'Notifications that a member has read one by one, after the position, at most the newest 1,000. A job deletes them '
    'when the notifications are no longer listed, after 90 days.';
CREATE INDEX read_notifications_newest ON read_notifications (user_id, read_at DESC, item DESC);
CREATE INDEX read_notifications_at ON read_notifications (read_at);
