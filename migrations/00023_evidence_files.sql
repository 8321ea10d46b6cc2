-- +goose Up

-- Files of reported and flagged messages, kept as long as the texts: deleting a
-- message or an account does not remove evidence. A row only prevents the
-- removal of the blobs; members can open a file only by its row in files. Only
-- admins read this table.
CREATE TABLE evidence_files (
    kept_for      uuid NOT NULL, -- the report, or the flag, which is the message
    file_id       uuid NOT NULL, -- no foreign keys: the row outlives file and message
    message_id    uuid NOT NULL,
    position      smallint NOT NULL, -- among the files of the message
    content_type  text NOT NULL,
    PRIMARY KEY (kept_for, file_id)
);
CREATE INDEX evidence_files_file ON evidence_files (file_id);

-- Files whose blobs stay although the files are deleted.
CREATE VIEW retained_files AS SELECT file_id FROM evidence_files;

-- The lock waits for a concurrent delete of the file, after which there is no
-- file to keep.
CREATE FUNCTION keep_evidence_files(reason uuid, messages uuid[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO evidence_files (kept_for, file_id, message_id, position, content_type)
    SELECT reason, f.id, m.id, mf.position, f.content_type
    FROM messages m
    JOIN message_files mf ON mf.conversation_id = m.conversation_id AND mf.seq = m.seq
    JOIN files f ON f.id = mf.file_id
    WHERE m.id = ANY (messages) FOR KEY SHARE OF f
    ON CONFLICT DO NOTHING
$$;

-- A flag may come before the files of its message or after them. One that was
-- closed, and whose evidence was forgotten, may be opened again.
-- +goose StatementBegin
CREATE FUNCTION keep_files_of_flag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM keep_evidence_files(NEW.message_id, ARRAY[NEW.message_id]);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER message_flags_made AFTER INSERT ON message_flags FOR EACH ROW EXECUTE FUNCTION keep_files_of_flag();
CREATE TRIGGER message_flags_opened AFTER UPDATE ON message_flags FOR EACH ROW
    WHEN (NEW.open AND NOT OLD.open) EXECUTE FUNCTION keep_files_of_flag();

-- +goose StatementBegin
CREATE FUNCTION keep_file_of_flagged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM keep_evidence_files(m.id, ARRAY[m.id]) FROM messages m JOIN message_flags f ON f.message_id = m.id
        WHERE m.conversation_id = NEW.conversation_id AND m.seq = NEW.seq;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER message_files_flagged AFTER INSERT ON message_files FOR EACH ROW EXECUTE FUNCTION keep_file_of_flagged();

-- Flags and reports that are open, or were closed within the time for which
-- texts are kept. The evidence of the newest reports contains the ids of the
-- last 50 messages.
SELECT keep_evidence_files(message_id, ARRAY[message_id]) FROM message_flags WHERE open OR content <> '';
SELECT keep_evidence_files(id, ARRAY(SELECT (m->>'id')::uuid FROM jsonb_array_elements(evidence->'messages') m))
FROM reports WHERE jsonb_typeof(evidence->'messages') = 'array';

-- +goose Down
DROP TRIGGER message_files_flagged ON message_files;
DROP TRIGGER message_flags_opened ON message_flags;
DROP TRIGGER message_flags_made ON message_flags;
DROP FUNCTION keep_file_of_flagged, keep_files_of_flag, keep_evidence_files;
DROP VIEW retained_files;
DROP TABLE evidence_files;
