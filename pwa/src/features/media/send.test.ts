import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Take } from '@/media/recording.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { CONVERSATION, freshDb, PEER } from '@/offline/testkit.ts';
import type { Picture } from './pictures.ts';
import { type Recipient, sendPictures, sendTake } from './send.ts';

vi.mock('@/offline/outbox/upload.ts', () => ({ uploadFile: () => new Promise(() => undefined) }));

const take: Take = {
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
  vi.stubGlobal('fetch', () => new Promise(() => undefined)); // no network: all of it waits
  db = await freshDb();
  return () => vi.unstubAllGlobals();
});

/** A conversation in which a message is answered; it is answered once. */
function answeringTo(seq: number | null): Recipient & { sent: number } {
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

const stored = async () => (await db.outbox.orderBy('localSeq').toArray()).map(({ body }) => body);

test('a voice and pictures answer to the message shown when they go, on the way and on the screen', async () => {
  const to = answeringTo(7);
  await sendTake(to, 'voice', take);
  expect(to.sent).toBe(1);
  await sendPictures(to, [picture], 'the lake');
  expect(await stored()).toMatchObject([{ messageType: 'audio', replyTo: 7 }, { messageType: 'image' }]);
  expect((await stored())[1]).not.toHaveProperty('replyTo');
  const shown = await db.messages.orderBy('[conversationId+order]').toArray();
  expect(shown.map(({ replyTo }) => replyTo)).toEqual([7, null]);
  await sendPictures(answeringTo(9), [picture], '');
  expect((await stored())[2]).toMatchObject({ replyTo: 9 });
});

test('what could not be stored still answers when it is tried again', async () => {
  const to = answeringTo(7);
  const put = vi.spyOn(db.outbox, 'put').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
  await expect(sendTake(to, 'voice', take)).rejects.toThrow();
  expect(to.sent).toBe(0);
  put.mockRestore();
  await sendTake(to, 'voice', take);
  expect(await stored()).toMatchObject([{ replyTo: 7 }]);
});
