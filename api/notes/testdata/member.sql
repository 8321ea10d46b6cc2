INSERT INTO match_notes (member_id, about_id, content, edited_at) VALUES
    (@member, @other, @mark, now()),
    (@other, @member, 'words of another', now())
