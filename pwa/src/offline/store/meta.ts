/** The `meta` table: single values of the member on this device, each with its type. */
import type { Table } from 'dexie';
import type {
  ActivityItem,
  FilterSet,
  LikeAllowance,
  NotificationSettings,
  Referral,
  ReferralStats,
} from '../../api/types.ts';
import type { FeedRow } from './rows.ts';

/** A pass that can be undone: the member's rows in the feed and the pass's id in the outbox. */
export type UndoablePass = { id: string; rows: FeedRow[]; passId?: string };

/** `next` is the cursor of the following page, null when there is none. */
export type StoredActivity = { items: ActivityItem[]; next: string | null };

/** `saved`: the member chose the filters. An older version may have stored fewer fields. */
type StoredFilters = { filters: Partial<FilterSet>; saved: boolean };

export type StoredReferrals = { code: string; stats: ReferralStats; recent: Referral[] };

type Cursor = string | null;

export type Meta = {
  activity: StoredActivity;
  /** A match or super like whose celebration was shown on this device. */
  [celebrated: `celebrated:${string}`]: true;
  datesPlanned: number;
  'dates:next': Cursor;
  'feed:forYou': Cursor;
  'feed:discover': Cursor;
  filters: StoredFilters;
  'likes:allowance': LikeAllowance;
  'likes:next': Cursor;
  /** `likedAt` of the newest like that the member has looked at. */
  'likes:seenAt': string;
  /** The newest pass last. */
  passes: UndoablePass[];
  'passes:next': Cursor;
  /** The count on the app's icon that came with the last push. */
  'push:badge': number;
  /** Where a tapped notification leads, for an app that starts after the tap; `at` in ms. */
  'push:navigate': { path: string; at: number };
  /** When a recorder last gave up its lock (ms): a write here makes live queries list the recordings again. */
  'recordings:releasedAt': number;
  referrals: StoredReferrals;
  /** The server's notification settings. */
  settings: NotificationSettings;
  /** Empty when the server refused the cursor: the next sync replaces all rows. */
  syncCursor: string;
  /** Messages to a member who ended the match were dropped unsent; the member is to be told. */
  undelivered: true;
  /** Ids of the voice messages that were played, the newest last. */
  'voices:heard': string[];
};

export type MetaKey = keyof Meta;
export type MetaRow = { [K in MetaKey]: { key: K; value: Meta[K] } }[MetaKey];

/** Those of a member who never chose, as the server has them. */
export const DEFAULT_SETTINGS: NotificationSettings = {
  messages: true,
  matches: true,
  likes: true,
  community: true,
  graduation: true,
  badges: true,
  digest: true,
  sound: true,
  vibration: true,
  quietFrom: null,
  quietTo: null,
  timeZone: 'UTC',
  autoplayVoice: true,
  autoplayVideo: false,
  downloadForOffline: true,
  highQualityMedia: true,
  voiceMessageNotifications: true,
  videoMessageNotifications: true,
};

/** The values of keys that are not stored. */
const ABSENT = {
  datesPlanned: 0,
  'likes:seenAt': '',
  passes: [],
  'voices:heard': [],
} satisfies Partial<Meta>;

/** The fields that a value stored by an older version lacks. */
const FIELDS = { activity: { items: [], next: null }, settings: DEFAULT_SETTINGS } satisfies Partial<Meta>;

type Stored<K extends MetaKey> = K extends keyof typeof ABSENT ? Meta[K] : Meta[K] | undefined;
type HasMeta = { meta: Table<MetaRow, string> };

/** Returns a value, completed with the defaults; undefined when it is not stored and has no default. */
export async function getMeta<K extends MetaKey>(db: HasMeta, key: K): Promise<Stored<K>> {
  const row = await db.meta.get(key);
  if (!row) return (ABSENT as Partial<Meta>)[key] as Stored<K>;
  const fields = (FIELDS as Partial<Meta>)[key];
  return (fields ? { ...(fields as object), ...(row.value as object) } : row.value) as Stored<K>;
}

export async function setMeta<K extends MetaKey>(db: HasMeta, key: K, value: Meta[K]): Promise<void> {
  await db.meta.put({ key, value } as MetaRow);
}

export const deleteMeta = (db: HasMeta, key: MetaKey): Promise<void> => db.meta.delete(key);
