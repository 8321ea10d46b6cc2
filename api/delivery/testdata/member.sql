INSERT INTO mail_deliveries (id, user_id, address_mac, message_id, kind, state, outcome, status, answer, attempts) VALUES
    (gen_random_uuid(), @member, sha256(uuid_send(gen_random_uuid())), 'digest-1', 'digest', 'failed', 'no_mailbox', '5.1.1', @mark, 1);
INSERT INTO mail_suppressions (address_mac, reason, user_id, status, answer, checking_at) VALUES
    (sha256(uuid_send(gen_random_uuid())), 'no_mailbox', @member, '5.1.1', @mark, now());
