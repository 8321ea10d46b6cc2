-- +goose Up

-- A warning, a suspension or a ban may remove parts of the profile too; a removal does nothing else.
ALTER TABLE sanctions DROP CONSTRAINT sanctions_parts;
ALTER TABLE sanctions ADD CONSTRAINT sanctions_parts CHECK (
    CASE
        WHEN kind = 'removal' THEN parts <> '{}'
        WHEN kind IN ('warning', 'suspension', 'ban') THEN true
        ELSE parts = '{}'
    END
) NOT VALID;
ALTER TABLE sanctions VALIDATE CONSTRAINT sanctions_parts;

-- The outcome of an appeal is news of its own, so its reversal is none.
CREATE OR REPLACE VIEW member_sanctions AS
    SELECT
        id,
        user_id,
        kind,
        created_at,
        parts <> '{}' AS removes_parts
    FROM sanctions
    WHERE kind <> 'reversal';

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
