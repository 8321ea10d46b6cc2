import type { ReactNode } from 'react';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { purgedSince } from '@/offline/store/purge.ts';

export type CelebrationType =
  | 'mutual_like'
  | 'super_like'
  | 'message_spark'
  | 'voice_connection'
  | 'graduation'
  | 'badge';

/** The query parameter of a notification's address that names the match or super like to celebrate. */
export const CELEBRATE_PARAM = 'celebrate';

/** The conversation of a match and its other member. */
export type MessageTarget = { conversationId: string; userId: string };

/** A match, super like, spark or graduation to celebrate with another member. */
export type Celebration = {
  /** The id of the match, like, spark or graduation. Each is celebrated once. */
  id: string;
  type: CelebrationType;
  name: string;
  /** The other member, if there is one to draw. */
  user?: { firstName: string; fullName: string; profileImageUrl: string | null; placeholder?: string };
  matchId?: string;
  /** The conversation for a first message; undefined while the match is not on the device. */
  messageTarget?: MessageTarget;
  /** The picture, the title and the words of a celebration without another member. */
  badge?: { picture: ReactNode; title: string; text: string };
  /** Reads from the device's database whether it is still to be shown; when another device has ended it, it ends here too. */
  isCurrent?: () => Promise<boolean>;
  /** Called when the member has closed it on this device. */
  onClose?: () => void;
  /** The comment of the other member's like, and what it is about. */
  note?: { comment: string; about: string };
};

/** Without `milliseconds` it stays until the member closes it. */
type CelebrationText = { title: string; subtitle: (name: string) => string; milliseconds?: number };

export const celebrationTexts: Record<CelebrationType, CelebrationText> = {
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
  graduation: {
    title: 'You have graduated!',
    subtitle: (name) => `You and ${name} leave dating together`,
    milliseconds: 3500,
  },
  badge: { title: 'You earned a badge!', subtitle: (name) => name },
};

/** The other member and when the event arrived, in ms: the members may part before the celebration is shown. */
export type Announcement = { userId: string; at: number };

/**
 * Returns true for the first caller on this device. The response to a like, the live event, a notification and every
 * open tab announce the same match or super like.
 */
export async function claimCelebration(
  db: HeartwardDb,
  id: string,
  announcement?: Announcement,
): Promise<boolean> {
  if (announcement && purgedSince(db, announcement.userId, announcement.at)) return false;
  const key = `celebrated:${id}` as const;
  return db.transaction('rw', db.meta, async () => {
    if (await getMeta(db, key)) return false;
    await setMeta(db, key, true);
    return true;
  });
}

/** Resolves when the tab is visible. */
export function whenVisible(): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    check();
  });
}
