-- +goose Up

-- The centre of the member's town, looked up in the gazetteer when the town is
-- saved; null where the gazetteer does not know it. Only a way to the members
-- near: what is answered is computed from the towns' names.
ALTER TABLE users
    ADD COLUMN town_lat double precision,
    ADD COLUMN town_lon double precision,
    ADD CONSTRAINT users_town_point CHECK ((town_lat IS NULL) = (town_lon IS NULL));

CREATE INDEX users_near ON users (town_lat, town_lon)
    WHERE profile_status = 'active' AND is_approved AND NOT is_graduated;

-- +goose Down
DROP INDEX users_near;
ALTER TABLE users DROP COLUMN town_lat, DROP COLUMN town_lon;
