/** The member's moments and the requests to be named in others', mirrored on the device. */

import { useEffect } from 'react';
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import type { Moment, MomentConsent, MomentSubject } from '@/api/types.ts';
import { part } from '@/base/pageSession.ts';
import { useSocket } from '@/live/sessionSocket.ts';
import { enqueue } from '@/offline/outbox/outbox.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import { uploadBytes } from '@/offline/outbox/tus.ts';
import { useCached, useDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, type StoredMoments, setMeta } from '@/offline/store/meta.ts';
import { queryClient } from '@/session/query.ts';

const key = ['moments'];

const invalidate = () => void queryClient.invalidateQueries({ queryKey: ['refresh', ...key] });

/** The moments loaded so far, with the shares that wait on the device, and the requests. */
export function useMoments() {
  const db = useDb();
  const socket = useSocket();
  useEffect(() => {
    const stops = [
      socket.on('moments_changed', invalidate),
      // Events may have been missed before.
      socket.on('identified', invalidate),
      senderOf(db).onSettled(({ row }) => {
        if (row.kind === 'share') invalidate();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [db, socket]);
  return useCached<StoredMoments | null>({
    key,
    read: async (db) => {
      const stored = await getMeta(db, 'moments');
      return stored ? { ...stored, items: withPendingShares(stored.items, await pendingShares(db)) } : null;
    },
    refresh: refreshMoments,
    staleMs: 0,
  });
}

/** Returns the ids of the moments whose shares the server has not counted, one for each share. */
async function pendingShares(db: HeartwardDb): Promise<string[]> {
  const ids: string[] = [];
  await db.outbox.each(({ body }) => {
    if (body.kind === 'share') ids.push(body.momentId);
  });
  return ids;
}

/** Adds the shares that wait on the device to the counts. */
export const withPendingShares = (items: Moment[], pending: string[]): Moment[] =>
  items.map((moment) => ({
    ...moment,
    shareCount: moment.shareCount + pending.filter((id) => id === moment.id).length,
  }));

/** Loads as many pages as the device has, and one at least. */
export async function refreshMoments(db: HeartwardDb, signal?: AbortSignal): Promise<void> {
  const consents = await unwrap(api.GET('/api/moments/consents', { signal }));
  const items: Moment[] = [];
  let next: string | null = null;
  do {
    const page: Page = await fetchPage(next, signal);
    items.push(...page.items);
    next = page.next;
    // `loadMore` may add a page meanwhile.
  } while (next && items.length < ((await getMeta(db, 'moments'))?.items.length ?? 0));
  await setMeta(db, 'moments', { items, next, consents: consents ?? [] });
}

type Page = Pick<StoredMoments, 'items' | 'next'>;

const fetchPage = (cursor: string | null, signal?: AbortSignal): Promise<Page> =>
  unwrapPage(api.GET('/api/moments', { params: { query: cursor ? { cursor } : {} }, signal }));

/** Loads the next page. Does nothing after the last. */
export async function loadMore(db: HeartwardDb): Promise<void> {
  const cursor = (await getMeta(db, 'moments'))?.next;
  if (!cursor) return;
  const page = await fetchPage(cursor);
  await change(db, (stored) =>
    stored.next === cursor ? { ...stored, items: [...stored.items, ...page.items], next: page.next } : stored,
  );
}

/** Changes the stored moments. */
async function change(db: HeartwardDb, update: (stored: StoredMoments) => StoredMoments): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const stored = (await getMeta(db, 'moments')) ?? { items: [], next: null, consents: [] };
    await setMeta(db, 'moments', update(stored));
  });
}

/** Stores a moment that the server has returned; a new one is the first. */
const store = (db: HeartwardDb, moment: Moment): Promise<void> =>
  change(db, (stored) => ({
    ...stored,
    items: stored.items.some(({ id }) => id === moment.id)
      ? stored.items.map((item) => (item.id === moment.id ? moment : item))
      : [moment, ...stored.items],
  }));

export const fetchSubjects = async (
  type: Moment['momentType'],
  signal: AbortSignal,
): Promise<MomentSubject[]> =>
  (await unwrap(api.GET('/api/moments/subjects', { params: { query: { type } }, signal }))) ?? [];

export const create = async (
  db: HeartwardDb,
  momentType: Moment['momentType'],
  subjectId: string,
): Promise<void> => store(db, await unwrap(api.POST('/api/moments', { body: { momentType, subjectId } })));

export const saveCaption = async (db: HeartwardDb, id: string, caption: string): Promise<void> =>
  store(db, await unwrap(api.PUT('/api/moments/{id}', { params: { path: { id } }, body: { caption } })));

export async function remove(db: HeartwardDb, id: string): Promise<void> {
  await unwrap(api.DELETE('/api/moments/{id}', { params: { path: { id } } }));
  await change(db, (stored) => ({ ...stored, items: stored.items.filter((item) => item.id !== id) }));
}

/** Asks the other member of a match whether the picture may name them. */
export const requestConsent = async (db: HeartwardDb, id: string): Promise<void> =>
  store(db, await unwrap(api.POST('/api/moments/{id}/consent', { params: { path: { id } } })));

/** Allows or refuses to be named in another member's picture. */
export async function answerRequest(
  db: HeartwardDb,
  { momentId }: MomentConsent,
  allow: boolean,
): Promise<void> {
  await unwrap(
    api.PUT('/api/moments/consents/{id}', { params: { path: { id: momentId } }, body: { allow } }),
  );
  await change(db, (stored) => ({
    ...stored,
    consents: allow
      ? stored.consents.map((item) => (item.momentId === momentId ? { ...item, given: true } : item))
      : stored.consents.filter((item) => item.momentId !== momentId),
  }));
}

export type Channel = 'stories' | 'twitter' | 'whatsapp' | 'copy' | 'device';

/** Counts that the member has shared a moment; later, if the device is offline. */
export async function countShare(db: HeartwardDb, momentId: string, channel: Channel): Promise<void> {
  await enqueue(db, { kind: 'share', momentId, channel });
}

/** The uploads of this tab, one after the other, and the moments whose picture is stored. */
const picturesOf = part(() => ({
  uploads: Promise.resolve() as Promise<unknown>,
  stored: new Set<string>(),
}));

/**
 * Stores the picture of a moment on the server, once in this tab, one after the other. After a failure the next call
 * tries again.
 */
export function storePicture(db: HeartwardDb, id: string, picture: () => Promise<Blob>): Promise<unknown> {
  const pictures = picturesOf(db);
  pictures.uploads = pictures.uploads
    .then(async () => {
      if (pictures.stored.has(id)) return;
      await upload(db, id, picture);
      pictures.stored.add(id);
    })
    .catch(console.warn);
  return pictures.uploads;
}

async function upload(db: HeartwardDb, id: string, picture: () => Promise<Blob>): Promise<void> {
  const bytes = await picture();
  const uploadId = await uploadBytes(bytes, {
    purpose: 'profile',
    session: db.session,
    mimeType: bytes.type,
    url: null,
    onUrl: () => undefined,
    onProgress: () => undefined,
  });
  await store(
    db,
    await unwrap(api.PUT('/api/moments/{id}/picture', { params: { path: { id } }, body: { uploadId } })),
  );
}
