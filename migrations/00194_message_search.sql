-- The form in which the search compares messages.

-- +goose Up
-- search_form returns a text in upper case, because some letters have two lower-case forms, such as the final sigma, and
-- without accents, so that "cafe" finds "café" and "istanbul" finds "İstanbul". The collation is named, because the locale of
-- the database may support only ASCII. The app has the same function for the messages on the device (fold in search.ts).
-- +goose StatementBegin
CREATE FUNCTION search_form(content text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
	WHEN octet_length(content) = char_length(content) THEN upper(content COLLATE "und-x-icu") -- ASCII has no accents
	ELSE upper(regexp_replace(normalize(content, NFD), '[\u0300-\u036f]', '', 'g') COLLATE "und-x-icu")
END;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION search_form;
