import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { freshDb, PEER, summary } from '@/offline/testkit.ts';
import { countBadges } from './badgeCounts.ts';
import type { ConversationRow } from './rows.ts';

it('counts unread conversations, without requests, muted and archived ones', async () => {
  const db = await freshDb();
  const row = (id: string, change: Partial<ConversationRow> = {}): ConversationRow => ({
    ...summary({ id }),
    userId: PEER,
    sortAt: '',
    lastSeq: 4,
    unreadCount: 1,
    ...change,
  });
  await db.conversations.bulkPut([
    row('unread'),
    row('read', { unreadCount: 0 }),
    row('request', { request: 'received' }),
    row('muted', { mutedUntil: '9999-12-31T00:00:00Z' }),
    row('archived', { archivedSeq: 4 }),
    row('back', { archivedSeq: 3 }),
  ]);
  expect(await countBadges(db)).toMatchObject({ messages: 2 });
});
