-- +goose Up

-- The intention tags a member can choose from, until an admin sets others: the
-- five of the sign-up and those that complete each other in a compatibility.
-- "Spiritual connection" is the same choice as "Spiritual Connection".
INSERT INTO system_settings (id, setting_key, setting_value) VALUES (
    '019a0000-0000-7000-8000-000000000001', 'intention_tags',
    '["Long-term", "Long-term commitment", "Marriage", "Friendship", "Healing", "Still healing but open",
      "Spiritual Connection", "Personal growth", "Adventure together", "Travel companion"]'
);

-- The time of each change of town, which is limited to a few a day: a member who
-- moved freely could measure the positions of others.
CREATE TABLE town_changes (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    changed_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX town_changes_user ON town_changes (user_id, changed_at);

-- +goose Down
DROP TABLE town_changes;
DELETE FROM system_settings WHERE setting_key = 'intention_tags';
