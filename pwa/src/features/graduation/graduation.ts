/** The member's couple and the Legacy Wall. Both are mirrored on a signed-in member's device. */

import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { CoupleRequest, CoupleState, WallEntry } from '@/api/types.ts';
import { socketOf } from '@/live/sessionSocket.ts';
import { useCached, useLive, useMemberDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { queryClient } from '@/session/query.ts';
import { refreshMe } from '@/session/session.ts';

/** The member's couple and the requests to the member. The celebrations fetch it after each event, on every screen. */
export const useGraduation = () =>
  useCached<CoupleState | null>({
    key: ['graduation'],
    read: async (db) => (await getMeta(db, 'graduation')) ?? null,
    refresh: refreshGraduation,
    staleMs: 0,
  });

export async function refreshGraduation(db: HeartwardDb): Promise<void> {
  await setMeta(db, 'graduation', await unwrap(api.GET('/api/graduation')));
}

/** An older graduation is not celebrated any more. */
const CELEBRATED_MS = 7 * 24 * 3_600_000;

/** Returns the member's graduation if it is recent, or null. */
export function graduationToCelebrate(state: CoupleState | undefined, now = Date.now()) {
  const { status, partner, graduatedAt, id } = state?.couple ?? {};
  if (status !== 'graduated' || !partner || !graduatedAt || !id) return null;
  const at = Date.parse(graduatedAt);
  return now - at < CELEBRATED_MS ? { coupleId: id, partner, at } : null;
}

/** Stores the state that a change returned. */
async function storeState(db: HeartwardDb, state: CoupleState): Promise<void> {
  await setMeta(db, 'graduation', state);
  void refreshMe();
  void queryClient.invalidateQueries({ queryKey: wallKey });
}

/** What a member says about the wall, in a request and in an acceptance. */
export type WallConsent = { showOnLegacyWall: boolean; pictures: string[] };

/** Returns the consent without pictures if the member does not want to be on the wall. */
const withoutHiddenPictures = (consent: WallConsent): WallConsent =>
  consent.showOnLegacyWall ? consent : { ...consent, pictures: [] };

/** Who is asked: a match by id, or by an address that the member types. */
export type Partner = { userTwoId: string } | { partnerEmail: string };

export const ask = async (
  db: HeartwardDb,
  partner: Partner,
  legacyMessage: string,
  consent: WallConsent,
): Promise<void> =>
  storeState(
    db,
    await unwrap(
      api.POST('/api/graduate', {
        body: { ...partner, legacyMessage: legacyMessage || null, ...withoutHiddenPictures(consent) },
      }),
    ),
  );

/** Accepts a request, with the pictures in it that the member has seen. */
export async function accept(
  db: HeartwardDb,
  { id, pictures }: CoupleRequest,
  consent: WallConsent,
): Promise<void> {
  const partnerPictures = (pictures ?? []).map((picture) => picture.id);
  const body = { ...withoutHiddenPictures(consent), partnerPictures };
  try {
    await storeState(
      db,
      await unwrap(api.POST('/api/graduation/requests/{id}/accept', { params: { path: { id } }, body })),
    );
  } catch (failure) {
    // The request has other pictures by now.
    if (failure instanceof ApiError && failure.status === 409) await refreshGraduation(db);
    throw failure;
  }
}

export const decline = async (db: HeartwardDb, id: string): Promise<void> =>
  storeState(
    db,
    await unwrap(api.POST('/api/graduation/requests/{id}/decline', { params: { path: { id } } })),
  );

export const withdraw = async (db: HeartwardDb): Promise<void> =>
  storeState(db, await unwrap(api.POST('/api/graduation/withdraw')));

export const returnToDiscovery = async (db: HeartwardDb): Promise<void> =>
  storeState(db, await unwrap(api.POST('/api/graduation/return')));

export const setWall = async (db: HeartwardDb, consent: WallConsent): Promise<void> =>
  storeState(db, await unwrap(api.PUT('/api/graduation/wall', { body: consent })));

/** Sets which of the partner's pictures the member wants on the wall. */
export const agree = async (db: HeartwardDb, pictures: string[]): Promise<void> =>
  storeState(db, await unwrap(api.PUT('/api/graduation/partner-pictures', { body: { pictures } })));

const wallKey = ['legacy-wall'];

type WallPage = { items: WallEntry[]; next: string | null };

/** The pages of the wall loaded so far; on a member's device the stored first page until the server answers. */
export function useLegacyWall() {
  const db = useMemberDb();
  useEffect(() => {
    if (!db) return;
    const invalidate = () => void queryClient.invalidateQueries({ queryKey: wallKey });
    // A change may have been missed before the others.
    return socketOf(db).onAny(['wall_changed', 'identified', 'sync'], invalidate);
  }, [db]);
  const stored = useLive(async (db) => (await getMeta(db, 'legacyWall')) ?? null);
  const query = useInfiniteQuery({
    queryKey: wallKey,
    queryFn: async ({ pageParam, signal }): Promise<WallPage> => {
      const page = await unwrapPage(
        api.GET('/api/legacy-wall', { params: { query: { cursor: pageParam } }, signal }),
      );
      // The first page is stored for reading offline; a visitor's device keeps nothing.
      if (!pageParam && db && !db.session.isStopped) await setMeta(db, 'legacyWall', page.items);
      return page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }: InfiniteData<WallPage>) => pages.flatMap(({ items }) => items),
    networkMode: 'always',
    // A couple that has withdrawn is gone when the screen is opened again, and for a visitor when the page gets the focus.
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
  return { ...query, entries: query.data ?? stored ?? undefined };
}
