/** The `meta` table: single values of the member on this device, each with its type. */

import type { Table } from 'dexie';
import { notificationDefaults } from '@/api/defaults.gen.ts';
import type { Remaining } from '../../api/client.ts';
import type {
  ActivityItem,
  BadgeProgress,
  CoupleState,
  FilterSet,
  LikeAllowance,
  Moment,
  MomentConsent,
  MoodDay,
  Notification,
  NotificationSettings,
  OwnPost,
  PulseEntry,
  PulseStreak,
  Referral,
  ReferralStats,
  UserBadge,
  WallEntry,
} from '../../api/types.ts';
import type { FeedRow } from './rows.ts';

/** A pass that can be undone: the member's rows in the feed and the pass's id in the outbox. */
export type UndoablePass = { id: string; rows: FeedRow[]; passId?: string };

/** `next` is the cursor of the next page; null after the last one. */
export type StoredActivity = { items: ActivityItem[]; next: string | null };

export type StoredNotifications = { items: Notification[]; next: string | null };

/** `saved` is false while the member has the defaults. An older version may have stored fewer fields. */
type StoredFilters = { filters: Partial<FilterSet>; saved: boolean };

export type StoredReferrals = { code: string; stats: ReferralStats; recent: Referral[] };

/** The newest entries, `next` for older ones, and the streak as the server counted it. */
type StoredPulse = { entries: PulseEntry[]; next: Cursor; streak: PulseStreak | null };

/** All badges with the member's progress, and those that the member has. */
export type StoredBadges = { all: BadgeProgress[]; earned: UserBadge[] };

/** The member's moments so far, and the requests to show the member in others'. */
export type StoredMoments = { items: Moment[]; next: Cursor; consents: MomentConsent[] };

type Cursor = string | null;

/** A list of the community board: the ids of its posts in order, the words and the tag searched for, and the words found in each post. */
type StoredBoard = {
  ids: string[];
  next: string | null;
  words?: string;
  tag?: string;
  matches?: Record<string, string[]>;
};

type StoredOwnPosts = { items: OwnPost[]; next: string | null };

/** A feature adds the keys that it alone uses in its own folder, by declaring this interface again. */
export interface Meta {
  activity: StoredActivity;
  [board: `board:${string}`]: StoredBoard;
  badges: StoredBadges;
  moments: StoredMoments;
  /** A match or super like whose celebration was shown on this device. */
  [celebrated: `celebrated:${string}`]: true;
  datesPlanned: number;
  'dates:next': Cursor;
  'feed:forYou': Cursor;
  'feed:discover': Cursor;
  /** The number of candidates after the stored ones. */
  'feed:forYou:remaining': Remaining;
  'feed:discover:remaining': Remaining;
  /** When more people are shown, after as many new ones as a day allows; null before. */
  'feed:forYou:newPeopleAt': string | null;
  'feed:discover:newPeopleAt': string | null;
  filters: StoredFilters;
  'likes:allowance': LikeAllowance;
  'likes:next': Cursor;
  /** The likes after the stored ones; `unseen` of them are newer than the like of `seenAt`. */
  'likes:remaining': Remaining & { seenAt?: string; unseen?: number };
  /** `likedAt` of the newest like that the member has seen. */
  'likes:seenAt': string;
  /** The member's couple and the requests to the member. */
  graduation: CoupleState;
  /** `endedAt` of the couple whose end the member has dismissed. */
  'graduation:dismissed': string;
  /** The first page of the Legacy Wall. */
  legacyWall: WallEntry[];
  /** What happened to the member, the newest first. */
  notifications: StoredNotifications;
  /** The number of unread notifications, at most 100. */
  'notifications:unread': number;
  /** The member's own posts on the community board. */
  ownPosts: StoredOwnPosts;
  /** In order, the newest last. */
  passes: UndoablePass[];
  'passes:next': Cursor;
  'passes:lapsedNext': Cursor;
  /** The count on the app's icon: that of the last push, minus the conversations marked as read in a notification. */
  'push:badge': number;
  pulse: StoredPulse;
  /** The last edit that this device made, to recognise one of another device. */
  'pulse:edit': { date: string; editId: string };
  /** The entry of a year ago, until another day is looked back on. */
  'pulse:lookBack': PulseEntry;
  /** The moods of a year. */
  [year: `pulse:year:${number}`]: MoodDay[];
  /** The path of a tapped notification, for an app that starts after the tap; `at` is the time of the tap (ms). */
  'push:navigate': { path: string; at: number };
  /**
   * The time (ms) at which a recorder last released its lock; writing it makes live queries list the recordings again.
   */
  'recordings:releasedAt': number;
  referrals: StoredReferrals;
  /** The server's notification settings. */
  settings: NotificationSettings;
  /** Empty after the server has rejected the cursor; the next sync then replaces all rows. */
  syncCursor: string;
  /** Set when unsent messages to a member who ended the match were deleted, until a toast has reported it. */
  undelivered: true;
  /** The ids of played voice messages, the newest last. */
  'voices:heard': string[];
}

export type MetaKey = keyof Meta;
export type MetaRow = { [K in MetaKey]: { key: K; value: Meta[K] } }[MetaKey];

/** The default values of keys that are not stored. */
const DEFAULTS = {
  'likes:remaining': { count: 0, more: false },
  'likes:seenAt': '',
  'notifications:unread': 0,
  passes: [],
  'voices:heard': [],
} satisfies Partial<Meta>;

/** The default fields of values, for fields that a value of an older version lacks. */
const FIELD_DEFAULTS = {
  activity: { items: [], next: null },
  settings: notificationDefaults,
} satisfies Partial<Meta>;

type Stored<K extends MetaKey> = K extends keyof typeof DEFAULTS ? Meta[K] : Meta[K] | undefined;
type HasMeta = { meta: Table<MetaRow, string> };

/** Returns a value, completed with the defaults; undefined when it is not stored and has no default. */
export async function getMeta<K extends MetaKey>(db: HasMeta, key: K): Promise<Stored<K>> {
  const row = await db.meta.get(key);
  if (!row) return (DEFAULTS as Partial<Meta>)[key] as Stored<K>;
  const fields = (FIELD_DEFAULTS as Partial<Meta>)[key];
  return (fields ? { ...(fields as object), ...(row.value as object) } : row.value) as Stored<K>;
}

export async function setMeta<K extends MetaKey>(db: HasMeta, key: K, value: Meta[K]): Promise<void> {
  await db.meta.put({ key, value } as MetaRow);
}

export const deleteMeta = (db: HasMeta, key: MetaKey): Promise<void> => db.meta.delete(key);
