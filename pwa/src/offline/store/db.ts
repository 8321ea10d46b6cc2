/**
 * The member's data on this device. Dexie is the only cache of JSON: a screen
 * reads from here (see cached.ts) and the network only ever writes here.
 *
 * This module pulls in Dexie, so import it from lazily loaded code only.
 */
import Dexie, { RangeSet, type Table } from 'dexie';
import { deviceMember } from '@/session/storage.ts';
import type {
  Compatibility,
  Match,
  Me,
  PlannedDate,
  PublicMember,
  ReceivedLike,
  UserCard,
} from '../../api/types.ts';
import type { MetaRow } from './meta.ts';
import { enterCache, leaveCache, pageIndexedDb } from './pageCache.ts';
import {
  type BlobRow,
  type ChunkRow,
  type ConversationRow,
  dbName,
  type FeedList,
  type FeedRow,
  type MessageRow,
  type OutboxRow,
  PLAIN,
  type RowKey,
  type TableName,
  type ThreadRow,
  type Transact,
} from './rows.ts';
import { onWipe } from './teardown.ts';

export type ProfileRow = {
  id: string;
  member: PublicMember;
  /** With the signed-in member; absent when it was not asked for or could not be had. */
  compatibility?: Compatibility;
  fetchedAt: number;
};
/** A match. A live event lacks the fields of the likes, which come with the list. */
export type MatchRow = Omit<Match, 'theirLike' | 'myLike' | 'unread' | 'lastMessageAt'> &
  Partial<Pick<Match, 'theirLike' | 'myLike' | 'unread' | 'lastMessageAt'>>;
/** A member who was passed on; the pass can be undone. */
export type PassedRow = { user: UserCard; passedAt: string };
export type BlockedRow = { user: UserCard; blockedAt: string };
/** A text that was not sent. The draft of a request has the other member's id as its key. */
export type DraftRow = { conversationId: string; content: string; replyTo?: number; updatedAt: number };

/** What a conversation has beside its members and numbers, where nothing was set. */
const CALM = {
  request: 'none',
  lastRev: 0,
  pinnedAt: null,
  mutedUntil: null,
  messageSparkAt: null,
  voiceConnectionAt: null,
  lastSeenAt: null,
} satisfies Partial<ConversationRow>;

const withFiles = (last: ConversationRow['lastMessage']) =>
  last && {
    ...last,
    durationMs: last.durationMs ?? null,
    attachmentCount: last.attachmentCount ?? 0,
    deleted: last.deleted ?? false,
  };

export class HeartwardDb extends Dexie {
  feed!: Table<FeedRow, [FeedList, string]>;
  matches!: Table<MatchRow, string>;
  profiles!: Table<ProfileRow, string>;
  me!: Table<Me, string>;
  conversations!: Table<ConversationRow, string>;
  threads!: Table<ThreadRow, string>;
  messages!: Table<MessageRow, [string, string]>;
  outbox!: Table<OutboxRow, string>;
  drafts!: Table<DraftRow, string>;
  likes!: Table<ReceivedLike, string>;
  passes!: Table<PassedRow, string>;
  blocks!: Table<BlockedRow, string>;
  blobs!: Table<BlobRow, string>;
  chunks!: Table<ChunkRow, [string, number]>;
  dates!: Table<PlannedDate, string>;
  meta!: Table<MetaRow, string>;
  /** Another tab deletes the database or upgrades it: this page must not open it again. */
  private released = false;

  constructor(readonly memberId: string) {
    // The worker writes past Dexie, so Dexie's own query cache would be stale.
    super(dbName(memberId), { cache: 'disabled', indexedDB: pageIndexedDb });
    this.version(1).stores({
      feed: '[list+id], [list+rank], fetchedAt',
      matches: 'id, matchedAt',
      profiles: 'id, fetchedAt',
      me: 'id',
      conversations: 'id, userId, matchId, sortAt',
      threads: 'conversationId',
      messages: '[senderId+clientId], [conversationId+order]',
      outbox: 'clientId, localSeq',
      drafts: 'conversationId',
      meta: 'key',
    });
    this.version(2).stores({
      likes: 'id, likedAt',
      passes: 'user.id, passedAt',
      blocks: 'user.id, blockedAt',
    });
    this.version(3)
      .stores({
        blobs: 'id, conversationId, usedAt',
        chunks: '[recordingId+index], conversationId',
        dates: 'id, conversationId, at',
      })
      .upgrade(async (tx) => {
        // What was added to every message and conversation since: the rows are written as the server gives them now.
        await tx
          .table<MessageRow>('messages')
          .toCollection()
          .modify((row) => void Object.assign(row, { ...PLAIN, ...row }));
        await tx
          .table<ConversationRow>('conversations')
          .toCollection()
          .modify(
            (row) => void Object.assign(row, { ...CALM, ...row, lastMessage: withFiles(row.lastMessage) }),
          );
      });
    // Another tab deletes the database on sign-out or brings a newer one: let go, and do not let the next
    // query open it anew.
    this.on('versionchange', ({ newVersion }) => {
      this.released = true;
      this.close({ disableAutoOpen: true });
      if (newVersion !== null) dispatchEvent(new Event('hw:outdated'));
      return false;
    });
  }

  /** Closes the database until `reopen`; what is asked of it meanwhile fails. */
  suspend(): void {
    this.close({ disableAutoOpen: true });
  }

  /** Not when the member has signed out meanwhile: that would make the deleted database anew. */
  reopen(): void {
    if (this.released || deviceMember() !== this.memberId) return;
    void this.open().catch(() => undefined);
  }

  /**
   * One read-write transaction in the shape that the shared code expects.
   * (Dexie follows native awaits only where its callback is an async function.)
   */
  readonly transact: Transact = (tables, work) =>
    this.transaction('rw', tables, async () =>
      work({
        get: (table, key) => this.table(table).get(key),
        put: async (table, row) => {
          await this.table(table).put(row);
        },
        delete: (table, key: RowKey) => this.table(table).delete(key),
        all: (table) => this.table(table).toArray(),
      }),
    );
}

let current: HeartwardDb | null = null;

/** The member's database; opening another member's closes the one before. */
export function openDb(memberId: string): HeartwardDb {
  if (current?.memberId === memberId) return current;
  current?.close({ disableAutoOpen: true });
  current = new HeartwardDb(memberId);
  return current;
}

/** The signed-in member's database. Throws SignedOutError when no member is signed in. */
export function getDb(): HeartwardDb {
  const memberId = deviceMember();
  if (!memberId) throw new SignedOutError();
  return openDb(memberId);
}

export class SignedOutError extends Error {
  constructor() {
    super('No member is signed in on this device');
    this.name = 'SignedOutError';
  }
}

/** Makes every live query on these tables read again; for writes made past Dexie. */
export function rereadTables(db: HeartwardDb, tables: readonly TableName[]): void {
  const everything = Object.fromEntries(
    tables.flatMap((table) => {
      const indexes = ['', ':dels', ...db.table(table).schema.indexes.map((index) => index.name)];
      return indexes.map((index) => [`idb://${db.name}/${table}/${index}`, new RangeSet(-Infinity, [[]])]);
    }),
  );
  Dexie.on.storagemutated.fire(everything);
}

/**
 * iOS loses the connection while the app sleeps: a trivial read that does not
 * come back in time means closing and opening again.
 */
export async function checkConnection(db: HeartwardDb, limitMs = 1500): Promise<void> {
  const answered = await Promise.race([
    db.meta.get('probe').then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, limitMs, false)),
  ]);
  if (answered) return;
  db.close({ disableAutoOpen: false });
  await db.open();
}

// In the capture phase, before Dexie's own listeners: those run every live query again on return.
addEventListener('pagehide', ({ persisted }) => persisted && suspendPage(), { capture: true });
addEventListener('pageshow', ({ persisted }) => persisted && resumePage(), { capture: true });

function suspendPage(): void {
  current?.suspend();
  enterCache();
}

function resumePage(): void {
  leaveCache();
  current?.reopen();
}

onWipe(() => {
  current?.close({ disableAutoOpen: true });
  current = null;
});
