import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { purgedSince } from '@/offline/store/purge.ts';

export type MomentType = 'mutual_like' | 'super_like' | 'message_spark' | 'voice_connection';

/** The query parameter of a notification's address that names the match or super like to celebrate. */
export const CELEBRATE = 'celebrate';

/** Something worth a pause: who it is with, and the match it belongs to. */
export type Moment = {
  /** What it is the moment of: each is celebrated once. */
  id: string;
  type: MomentType;
  name: string;
  /** The other member, where there is a face to show. */
  user?: { firstName: string; fullName: string; profileImageUrl: string | null; placeholder?: string };
  matchId?: string;
  /** What the other said with their like, and about what. */
  note?: { comment: string; about: string };
};

type Words = { title: string; subtitle: (name: string) => string; milliseconds: number };

export const words: Record<MomentType, Words> = {
  mutual_like: {
    title: "It's a Match!",
    subtitle: (name) => `You and ${name} like each other`,
    milliseconds: 3000,
  },
  super_like: {
    title: 'Super Spark!',
    subtitle: (name) => `${name} super liked you`,
    milliseconds: 3500,
  },
  message_spark: {
    title: 'Message Spark!',
    subtitle: () => 'Your conversation is heating up',
    milliseconds: 2500,
  },
  voice_connection: {
    title: 'Voice Connection!',
    subtitle: () => 'Your voices harmonized beautifully',
    milliseconds: 3000,
  },
};

/** Who a moment is with and when it was announced: the two may part before it is shown. */
export type Announced = { userId: string; at: number };

/**
 * True for the first caller only: the answer to a like, the live event, a notification and every open tab tell of
 * the same match (or super like), and it is celebrated once on this device.
 */
export async function claim(db: HeartwardDb, id: string, announced?: Announced): Promise<boolean> {
  if (announced && purgedSince(announced.userId, announced.at)) return false;
  const key = `celebrated:${id}` as const;
  return db.transaction('rw', db.meta, async () => {
    if (await getMeta(db, key)) return false;
    await setMeta(db, key, true);
    return true;
  });
}

/** Resolves once somebody looks at this tab: nobody celebrates behind a locked screen. */
export function whenVisible(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });
}
