/** The member's referrals, mirrored on the device. */
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import type { Look } from '@/api/types.ts';
import { useCached } from '@/offline/store/cached.ts';
import { getMeta, type StoredReferrals, setMeta } from '@/offline/store/meta.ts';
import { refreshMe } from '@/session/session.ts';
import { copyText } from '@/ui';

const RECENT_COUNT = 3;

async function fetchReferrals(userId: string, signal: AbortSignal): Promise<StoredReferrals> {
  const path = { userId };
  // After the code: its first request creates the member's referral data.
  const { code } = await unwrap(api.POST('/api/referrals/generate/{userId}', { params: { path }, signal }));
  const [stats, recent] = await Promise.all([
    unwrap(api.GET('/api/referrals/stats/{userId}', { params: { path }, signal })),
    unwrapPage(
      api.GET('/api/referrals/{userId}', { params: { path, query: { limit: RECENT_COUNT } }, signal }),
    ),
  ]);
  return { code, stats, recent: recent.items };
}

export const useReferrals = (userId: string) =>
  useCached({
    key: ['referrals', userId],
    read: async (db) => (await getMeta(db, 'referrals')) ?? null,
    refresh: async (db, signal) => {
      await setMeta(db, 'referrals', await fetchReferrals(userId, signal));
    },
    staleMs: 0,
  });

/**
 * Invites a friend by mail. `clientId` is the same for a repeated attempt. The result does not tell whether a mail is
 * sent.
 */
export async function inviteFriend(userId: string, clientId: string, email: string): Promise<void> {
  await unwrap(
    api.POST('/api/referrals/invite/{userId}', { params: { path: { userId } }, body: { clientId, email } }),
  );
}

/** Stores how others see the member's profile page. */
export async function saveLook(userId: string, look: Look): Promise<void> {
  await unwrap(api.PUT('/api/referrals/look/{userId}', { params: { path: { userId } }, body: look }));
  await refreshMe();
}

/** Copies the link to the clipboard and shows a toast. Returns whether it succeeded. */
export const copyLink = (link: string): Promise<boolean> =>
  copyText(
    link,
    { title: 'Link copied!', description: 'Share this link with friends to earn rewards' },
    'Please copy the link manually',
  );
