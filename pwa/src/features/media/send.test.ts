import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { RecordedClip } from '@/media/recording.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { CONVERSATION, freshDb, PEER } from '@/offline/testkit.ts';
import { type Recipient, sendClip, sendPictures } from './send.ts';
import type { Picture } from './sentPictures.ts';

vi.mock('@/offline/outbox/upload.ts', () => ({ uploadFile: () => new Promise(() => undefined) }));

const clip: RecordedClip = {
  blob: new Blob(['voice'], { type: 'audio/mp4' }),
  url: 'blob:voice',
  poster: null,
  mimeType: 'audio/mp4',
  durationMs: 1200,
  waveform: [1, 2],
};
const picture: Picture = {
  url: 'blob:picture',
  blob: new Blob(['picture'], { type: 'image/jpeg' }),
  poster: null,
  file: {
    localId: 'picture',
    kind: 'image',
    mimeType: 'image/jpeg',
    bytes: 7,
    width: 4,
    height: 3,
    durationMs: null,
    waveform: [],
    placeholder: '',
  },
};

let db: HeartwardDb;
beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined)); // no network: messages stay in the outbox
  db = await freshDb();
  return () => vi.unstubAllGlobals();
});

/** A recipient whose composer replies to the message `seq` until a message is sent, and counts the sent messages. */
function recipientWithReply(seq: number | null): Recipient & { sent: number } {
  const to = {
    id: CONVERSATION,
    userId: PEER,
    sent: 0,
    replyTarget: {
      seq: () => seq,
      sent: () => {
        to.sent += 1;
        seq = null;
      },
    },
  };
  return to;
}

const outboxBodies = async () => (await db.outbox.orderBy('localSeq').toArray()).map(({ body }) => body);

test('a voice message and pictures reply to the message selected when they are sent', async () => {
  const to = recipientWithReply(7);
  await sendClip(db, to, 'voice', clip);
  expect(to.sent).toBe(1);
  await sendPictures(db, to, [picture], 'the lake');
  expect(await outboxBodies()).toMatchObject([
    { messageType: 'audio', replyTo: 7 },
    { messageType: 'image' },
  ]);
  expect((await outboxBodies())[1]).not.toHaveProperty('replyTo');
  const shown = await db.messages.orderBy('[conversationId+order]').toArray();
  expect(shown.map(({ replyTo }) => replyTo)).toEqual([7, null]);
  await sendPictures(db, recipientWithReply(9), [picture], '');
  expect((await outboxBodies())[2]).toMatchObject({ replyTo: 9 });
});

test('a message that could not be stored is still a reply when it is sent again', async () => {
  const to = recipientWithReply(7);
  const put = vi.spyOn(db.outbox, 'put').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
  await expect(sendClip(db, to, 'voice', clip)).rejects.toThrow();
  expect(to.sent).toBe(0);
  put.mockRestore();
  await sendClip(db, to, 'voice', clip);
  expect(await outboxBodies()).toMatchObject([{ replyTo: 7 }]);
});
