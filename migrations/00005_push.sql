-- +goose Up

CREATE TABLE push_subscriptions (
    id          uuid PRIMARY KEY,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    session_id  uuid REFERENCES sessions ON DELETE CASCADE, -- a signed-out device gets no push
    endpoint    text NOT NULL UNIQUE CHECK (length(endpoint) <= 1000),
    p256dh      text NOT NULL CHECK (length(p256dh) <= 200),
    auth        text NOT NULL CHECK (length(auth) <= 100),
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);

-- +goose Down
DROP TABLE push_subscriptions;
