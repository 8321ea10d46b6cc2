/**
 * The member's database on this device. It is the only persistent cache of JSON: responses are stored here, and screens
 * read from here (cached.ts).
 *
 * This module imports Dexie, so import it from lazily loaded code only.
 */

import Dexie, { type PromiseExtended, RangeSet, type Table, type Transaction } from 'dexie';
import { databaseUpgraded } from '@/base/events.ts';
import { part, type Session } from '@/base/pageSession.ts';
import { deviceMember, keepsNothing } from '@/base/storage.ts';
import type {
  Compatibility,
  Match,
  Me,
  MemberCard,
  PlannedDate,
  PublicMember,
  ReceivedLike,
  StrangerView,
  UserCard,
} from '../../api/types.ts';
import { refuseStorage, watchOpening } from './failure.ts';
import type { MetaRow } from './meta.ts';
import { enterCache, leaveCache, pageIndexedDb } from './pageCache.ts';
import { type ProfileUploadRow, rowsOfProfileUploads } from './profileUploads.ts';
import {
  type BlobRow,
  type ChunkRow,
  type ConversationRow,
  dbName,
  type FeedList,
  type FeedRow,
  type FileRow,
  MESSAGE_DEFAULTS,
  type MessageRow,
  type OutboxRow,
  type PostRow,
  type ProfileFileRow,
  type ThreadRow,
} from './rows.ts';
import type { RowKey, TableName, Transact } from './tx.ts';

export type ProfileRow = {
  id: string;
  /** The compatibility with the signed-in member; absent if it was not fetched. */
  compatibility?: Compatibility;
  fetchedAt: number;
} & (
  | {
      member: PublicMember;
      isCard?: undefined;
      /** Who can see it now; only of the member's own profile, which is stored as strangers get it. */
      shownTo?: StrangerView['shownTo'];
    }
  /** Only the fields of a card, because the profile was not opened. It never replaces a whole profile. */
  | { member: MemberCard; isCard: true }
);
/** A match. The live event lacks the optional fields, which are fetched with the list. */
export type MatchRow = Omit<Match, 'theirLike' | 'myLike' | 'unread' | 'lastMessageAt'> &
  Partial<Pick<Match, 'theirLike' | 'myLike' | 'unread' | 'lastMessageAt'>>;
/** A pass, recent or lapsed. */
export type PassedRow = { user: UserCard; passedAt: string };
export type BlockedRow = { user: UserCard; blockedAt: string };
/** A text that was not sent. The draft of a request has the other member's id as its key. */
export type DraftRow = { conversationId: string; content: string; replyTo?: number; updatedAt: number };

/** The default values of a conversation's optional fields. */
const CONVERSATION_DEFAULTS = {
  request: 'none',
  lastRev: 0,
  pinnedAt: null,
  mutedUntil: null,
  archivedSeq: null,
  turnEndedSeq: null,
  picturesShown: false,
  messageSparkAt: null,
  voiceConnectionAt: null,
  lastSeenAt: null,
} satisfies Partial<ConversationRow>;

const withMessageDefaults = (last: ConversationRow['lastMessage']) =>
  last && {
    ...last,
    durationMs: last.durationMs ?? null,
    attachmentCount: last.attachmentCount ?? 0,
    deleted: last.deleted ?? false,
  };

type Store = { indexedDB: Pick<IDBFactory, keyof typeof pageIndexedDb>; IDBKeyRange: typeof IDBKeyRange };

let memory: Store | null = null;

/** Sets the store of a device that keeps nothing (memory.ts). */
export function storeInMemory(store: Store): void {
  memory = store;
}

/** The store of a device that keeps nothing, whose memory was not loaded: it opens nothing rather than write to the device. */
const refusingStore = {
  ...pageIndexedDb,
  open(): IDBOpenDBRequest {
    refuseStorage();
    throw new Error('This device keeps nothing, and its store in memory was not loaded');
  },
};

/** Returns the store of the member's data. */
function storeOfDevice(): Store {
  // Some browsers that block storage lack it; opening the database then fails.
  const { IDBKeyRange } = globalThis;
  if (!keepsNothing()) return { indexedDB: pageIndexedDb, IDBKeyRange };
  return memory ?? { indexedDB: refusingStore, IDBKeyRange };
}

/** Adds the fields that the server has added to messages and conversations since version 2. */
async function addMessageFields(tx: Transaction): Promise<void> {
  await tx
    .table<MessageRow>('messages')
    .toCollection()
    .modify((row) => void Object.assign(row, { ...MESSAGE_DEFAULTS, ...row }));
  await tx
    .table<ConversationRow>('conversations')
    .toCollection()
    .modify(
      (row) =>
        void Object.assign(row, {
          ...CONVERSATION_DEFAULTS,
          ...row,
          lastMessage: withMessageDefaults(row.lastMessage),
        }),
    );
}

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
  files!: Table<FileRow, string>;
  blobs!: Table<BlobRow, string>;
  chunks!: Table<ChunkRow, [string, number]>;
  dates!: Table<PlannedDate, string>;
  profileFiles!: Table<ProfileFileRow, string>;
  posts!: Table<PostRow, string>;
  meta!: Table<MetaRow, string>;
  /** Whether another tab has deleted or upgraded the database; this page must not open it again. */
  private released = false;
  /** Whether the page is in the back/forward cache. */
  private suspended = false;
  /** Names what the tabs that share this database do together: all of the member's, or a page alone with its memory. */
  readonly scope: string;

  readonly memberId: string;

  constructor(readonly session: Session) {
    const { memberId } = session;
    // The worker writes without Dexie, so Dexie's query cache would be stale.
    super(dbName(memberId), { cache: 'disabled', ...storeOfDevice() });
    this.memberId = memberId;
    this.scope = keepsNothing() ? `${memberId}-${crypto.randomUUID()}` : memberId;
    session.onStop(() => this.close({ disableAutoOpen: true }));
    this.followPageCache();
    this.declareVersions();
    // Another tab deletes the database on sign-out, or upgrades it: close it, and do not let the next query open it
    // again.
    this.on('versionchange', ({ newVersion }) => {
      this.released = true;
      this.close({ disableAutoOpen: true });
      if (newVersion !== null) databaseUpgraded.emit();
      return false;
    });
  }

  /** Declares the tables of each version, and how the rows of the one before are changed. */
  private declareVersions(): void {
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
      .upgrade(addMessageFields);
    this.version(4).stores({ profileFiles: 'id' });
    this.version(5).stores({ posts: 'id, fetchedAt' });
    this.version(6)
      .stores({ files: 'id, conversationId, usedAt', blobs: 'id', profileUploads: 'id' })
      // Copies all but the bytes, which stay where they are: a copy of them would fail on a full device.
      .upgrade(async (tx) => {
        const files = await tx.table<BlobRow & Omit<FileRow, 'blobId'>>('blobs').toArray();
        await tx
          .table<FileRow>('files')
          .bulkAdd(files.map(({ blob: _, poster: __, ...file }) => ({ ...file, blobId: file.id })));
        const uploads = await tx
          .table<ProfileFileRow & Omit<ProfileUploadRow, 'blobId'>>('profileFiles')
          .toArray();
        await tx
          .table<ProfileUploadRow>('profileUploads')
          .bulkAdd(uploads.map(({ bytes: _, poster: __, ...upload }) => ({ ...upload, blobId: upload.id })));
      });
    this.version(7)
      .stores({ profileUploads: null })
      .upgrade(async (tx) => {
        const uploads = await tx.table<ProfileUploadRow>('profileUploads').toArray();
        const outbox = tx.table<OutboxRow>('outbox');
        const lastSeq = (await outbox.orderBy('localSeq').last())?.localSeq ?? 0;
        await outbox.bulkAdd(rowsOfProfileUploads(uploads, this.memberId, lastSeq));
      });
  }

  /** Opens the database, also for the first query. If the browser refuses, the app shows it (failure.ts). */
  override open(): PromiseExtended<Dexie> {
    const opening = super.open();
    void watchOpening(opening, () => this.isLeft());
    return opening;
  }

  /** Whether the database need not open any more: its member has signed out, or the page is in the cache. */
  private isLeft(): boolean {
    return this.isReleased() || this.suspended;
  }

  /** Whether this page must not open the database again. */
  private isReleased(): boolean {
    return this.released || this.session.isStopped || deviceMember() !== this.memberId;
  }

  /** Closes the database while the page is in the back/forward cache. */
  private followPageCache(): void {
    const suspend = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      this.suspend();
      enterCache();
    };
    const resume = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      leaveCache();
      this.reopen();
    };
    // In the capture phase, before Dexie's own listeners, which run every live query again on return.
    addEventListener('pagehide', suspend, { capture: true });
    addEventListener('pageshow', resume, { capture: true });
    this.session.onStop(() => {
      removeEventListener('pagehide', suspend, { capture: true });
      removeEventListener('pageshow', resume, { capture: true });
    });
  }

  /** Closes the database until `reopen`; queries fail meanwhile. */
  suspend(): void {
    this.suspended = true;
    this.close({ disableAutoOpen: true });
  }

  /** Opens the database again, unless the member has signed out meanwhile, which would create the deleted database. */
  reopen(): void {
    this.suspended = false;
    if (this.isReleased()) return;
    void this.open().catch(() => undefined);
  }

  /**
   * Runs a read-write transaction through the interface that page and worker share. (Dexie keeps its transaction across
   * awaits only in an async callback.)
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

/** Returns the database of a session. */
export const dbOf = part((session) => new HeartwardDb(session));

/** Runs every live query on these tables again, after writes that were made without Dexie. */
export function rereadTables(db: HeartwardDb, tables: readonly TableName[]): void {
  const changes = Object.fromEntries(
    tables.flatMap((table) => {
      const indexes = ['', ':dels', ...db.table(table).schema.indexes.map((index) => index.name)];
      return indexes.map((index) => [`idb://${db.name}/${table}/${index}`, new RangeSet(-Infinity, [[]])]);
    }),
  );
  Dexie.on.storagemutated.fire(changes);
}

/**
 * Opens the database again if a read takes longer than `timeoutMs`: iOS drops the connection while the app is in the
 * background.
 */
export async function checkConnection(db: HeartwardDb, timeoutMs = 1500): Promise<void> {
  const responded = await Promise.race([
    db.meta.get('probe').then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, timeoutMs, false)),
  ]);
  // A sign-out may have closed it meanwhile, to delete it.
  if (responded || db.session.isStopped) return;
  db.close({ disableAutoOpen: false });
  await db.open();
}
