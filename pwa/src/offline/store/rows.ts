/**
 * The rows kept on the device and the small transaction interface that the page
 * (through Dexie) and the service worker (through bare IndexedDB) both offer.
 * Nothing here may import Dexie or React: the worker runs this code too.
 */
import type {
  Candidate,
  ConversationSummary,
  LikeType,
  Message,
  NotificationSettings,
} from '../../api/types.ts';
import type { MetaRow } from './meta.ts';

/** Database of one member; a device never holds more than one. */
export const DB_PREFIX = 'heartward-';
export const dbName = (memberId: string) => DB_PREFIX + memberId;

/** Order of a message not yet numbered by the server: after every numbered one. */
export const WAITING_ORDER = 1e12;

/** Stored before the server's data was put back in time, or from a numbering it no longer has: replaced, never merged. */
type Stale = { stale?: true };

export type ConversationRow = ConversationSummary & { userId: string; sortAt: string } & Stale;

/**
 * The unbroken run of sequence numbers held for a conversation. A message that
 * does not touch it is never appended; the missing part is fetched instead.
 */
export type ThreadRow = {
  conversationId: string;
  firstSeq: number;
  lastSeq: number;
  /** Changes of messages are known up to here (reactions, deletions); absent in threads kept by older versions. */
  rev?: number;
} & Stale;

/** A picture or recording on its way: what is known of it before the server has it. */
export type LocalAttachment = {
  /** Of the row in `blobs` that holds it. */
  localId: string;
  kind: 'image' | 'audio' | 'video';
  mimeType: string;
  bytes: number;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  waveform: number[];
  placeholder: string;
  /** The server's, once it is uploaded. */
  fileId?: string;
};

export type FeedList = 'forYou' | 'discover';
export type FeedRow = {
  list: FeedList;
  id: string;
  rank: number;
  candidate: Candidate;
  fetchedAt: number;
  /** Liked in the grid: shown as such until the list is fetched again. */
  liked?: LikeType;
};

/**
 * One bubble. The key is [senderId, clientId], as on the server: a client id
 * alone could be repeated by the other member and would overwrite ours.
 * `order` is the sequence number, or WAITING_ORDER + localSeq before there is one.
 */
export type MessageRow = Omit<Message, 'id' | 'seq'> & {
  id: string | null;
  seq: number | null;
  order: number;
  state: 'stored' | 'waiting' | 'failed';
  reason?: string;
};

/** What a message has beside its words, where it has nothing. */
export const PLAIN = {
  attachments: [],
  replyTo: null,
  dateId: null,
  deletedAt: null,
  senderReaction: null,
  receiverReaction: null,
  flag: null,
  rev: 0,
} satisfies Partial<Message>;

/** A like, what it is about (a photo or a prompt, never both) and a few words with it. */
export type LikeBody = {
  toUserId: string;
  likeType: LikeType;
  comment?: string;
  photoId?: string;
  prompt?: string;
};

/** Takes a pass back; named by its row's id, should the pass itself arrive later, it does nothing. */
export type Unpass = { kind: 'unpass'; targetUserId: string; passId?: string };

export type OutboxBody =
  | {
      kind: 'message';
      recipientId: string;
      content: string;
      messageType: 'text' | 'audio' | 'video' | 'image';
      replyTo?: number;
      attachments?: LocalAttachment[];
    }
  | MessageChange
  | ({ kind: 'like' } & LikeBody)
  | { kind: 'pass'; targetUserId: string }
  | Unpass
  | { kind: 'receipt'; deliveredSeq?: number; readSeq?: number }
  | SettingsChange
  | MatchSeen;

/** Fields of the notification settings; those that other devices changed meanwhile stay. */
export type SettingsChange = { kind: 'settings'; patch: Partial<NotificationSettings> };

/** The member has looked at a match. */
export type MatchSeen = { kind: 'seen'; matchId: string };

/** What is done to a message that is there already; shown at once, and gone again should the server refuse. */
export type MessageChange =
  | { kind: 'reaction'; seq: number; emoji: string | null }
  | { kind: 'delete'; seq: number };

export type OutboxRow = {
  clientId: string;
  userId: string;
  conversationId: string | null;
  localSeq: number;
  kind: OutboxBody['kind'];
  body: OutboxBody;
  state: 'queued' | 'sending' | 'failed';
  attempts: number;
  /** Not before this moment (ms). */
  nextAt: number;
  /** How far away nextAt was when it was set: further away now means that the device's clock was set back. */
  waitMs?: number;
  /** nextAt came from the server's Retry-After: no trigger may shorten it. */
  retryAfterLocked: boolean;
  createdAt: number;
  /** Raised when a receipt is merged into a row that is already on its way. */
  revision: number;
  reason?: string;
  status?: number;
};

/**
 * A picture or recording kept whole on this device: 'unsent' until the server has acknowledged the message it
 * belongs to, then under the file's id; 'heard' are the other member's, kept for when there is no network.
 */
export type BlobRow = {
  /** The attachment's localId, the server's id of the file once it was sent. */
  id: string;
  conversationId: string;
  keep: 'unsent' | 'sent' | 'heard';
  blob: Blob;
  /** A still of a video of our own. */
  poster: Blob | null;
  bytes: number;
  /** Played or seen last (ms): who was missed longest goes first. */
  usedAt: number;
  /** Where the upload goes on after a cut; the still's is one of its own. */
  uploadUrl?: string;
  posterUploadUrl?: string;
};

/** A second of a recording under way, and all that is needed to make a recording of it after a crash. */
export type ChunkRow = {
  recordingId: string;
  index: number;
  conversationId: string;
  kind: 'voice' | 'video';
  mimeType: string;
  blob: Blob;
  /** How long the recording is with this chunk. */
  elapsedMs: number;
  /** Its loudness since the chunk before. */
  levels: number[];
  poster: Blob | null;
};

type Rows = {
  blobs: BlobRow;
  conversations: ConversationRow;
  threads: ThreadRow;
  messages: MessageRow;
  outbox: OutboxRow;
  meta: MetaRow;
};
export type TableName = keyof Rows;
export type RowKey = string | [string, string];

export interface Tx {
  get<K extends TableName>(table: K, key: RowKey): Promise<Rows[K] | undefined>;
  put<K extends TableName>(table: K, row: Rows[K]): Promise<void>;
  delete(table: TableName, key: RowKey): Promise<void>;
  all<K extends TableName>(table: K): Promise<Rows[K][]>;
}

/** Runs work in one read-write transaction: all of it is stored or none. */
export type Transact = <T>(tables: TableName[], work: (tx: Tx) => Promise<T>) => Promise<T>;
