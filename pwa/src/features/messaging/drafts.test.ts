import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { CONVERSATION, freshDb } from '@/offline/testkit.ts';
import { addToDraft } from './drafts.ts';

it('appends a text to a draft and keeps the message it replies to', async () => {
  const db = await freshDb();
  const content = async () => (await db.drafts.get(CONVERSATION))?.content;
  await addToDraft(db, CONVERSATION, '');
  expect(await content()).toBeUndefined();
  await addToDraft(db, CONVERSATION, 'https://a.test');
  expect(await content()).toBe('https://a.test');
  await db.drafts.put({ conversationId: CONVERSATION, content: 'Read this: ', replyTo: 4, updatedAt: 0 });
  await addToDraft(db, CONVERSATION, 'https://a.test');
  expect(await db.drafts.get(CONVERSATION)).toMatchObject({
    content: 'Read this:\nhttps://a.test',
    replyTo: 4,
  });
  await addToDraft(db, CONVERSATION, 'x'.repeat(5000));
  expect(await content(), 'nothing is cut').toBe(`Read this:\nhttps://a.test\n${'x'.repeat(5000)}`);
});
