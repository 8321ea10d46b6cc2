/**
 * The rows of the database. This module must import neither Dexie nor React, because the worker imports it.
 */

import type {
  Candidate,
  CommentThread,
  ConversationSummary,
  LikeType,
  MePatch,
  Message,
  NotificationSettings,
  Post,
  PostCard,
  PulseMood,
  PulseQuestion,
} from '../../api/types.ts';
import type { MetaKey } from './meta.ts';

/** The prefix of the name of a member's database. A device has the database of at most one member. */
export const DB_PREFIX = 'heartward-';
export const dbName = (memberId: string) => DB_PREFIX + memberId;

/** Added to the localSeq of a message without a seq, so that it is ordered after all messages with one. */
export const WAITING_ORDER = 1e12;

/**
 * `stale` marks a row from before the server's database was restored or its messages renumbered. It is replaced, never
 * merged.
 */
type Stale = { stale?: true };

export type ConversationRow = ConversationSummary & { userId: string; sortAt: string } & Stale;

/**
 * The gapless range of stored messages of a conversation. A message that is not adjacent to it is not appended; the
 * missing messages are fetched instead.
 */
export type ThreadRow = {
  conversationId: string;
  firstSeq: number;
  lastSeq: number;
  /** The rev up to which changes (reactions, deletions) are stored; absent in rows of older versions. */
  rev?: number;
} & Stale;

/** A picture or recording that is not uploaded yet. */
export type LocalAttachment = {
  /** The id of its row in `files`. */
  localId: string;
  kind: 'image' | 'audio' | 'video';
  mimeType: string;
  bytes: number;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  waveform: number[];
  placeholder: string;
  /** The server's id, once it is uploaded. */
  fileId?: string;
};

export type FeedList = 'forYou' | 'discover';
export type FeedRow = {
  list: FeedList;
  id: string;
  rank: number;
  candidate: Candidate;
  fetchedAt: number;
  /** The type of the like given in the grid, shown until the list is fetched again. */
  liked?: LikeType;
};

/**
 * A message. The key is [senderId, clientId], as on the server, because the other member could repeat a client id alone
 * and overwrite the message. `order` is the seq, or WAITING_ORDER + localSeq while there is none.
 */
export type MessageRow = Omit<Message, 'id' | 'seq'> & {
  id: string | null;
  seq: number | null;
  order: number;
  state: 'stored' | 'waiting' | 'failed';
  reason?: string;
};

/** The default values of a message's optional fields. */
export const MESSAGE_DEFAULTS = {
  attachments: [],
  replyTo: null,
  dateId: null,
  deletedAt: null,
  senderReaction: null,
  receiverReaction: null,
  flag: null,
  rev: 0,
} satisfies Partial<Message>;

/** A like, the photo or prompt that it is about (never both), and a comment. */
export type LikeBody = {
  toUserId: string;
  likeType: LikeType;
  comment?: string;
  photoId?: string;
  prompt?: string;
};

/** Undoes a pass. With `passId`, the id of the pass's row, a pass that reaches the server later has no effect. */
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
  | MatchSeen
  | Unmatch
  | BadgeClosed
  | MomentShare
  | { kind: 'showPictures' }
  | NotificationsRead
  | PulseEdit
  | PostLike
  | NewComment
  | DocumentEdit
  | ProfileTexts
  | ProfileFile
  | StartAnswers;

/** The id of the one row with answers of the guided first run. */
export const START_ROW = 'start';

/** Answers of the guided first run, and how far the member has come. Newer answers are added to unsent ones. */
export type StartAnswers = {
  kind: 'start';
  answers: Pick<MePatch, 'gender' | 'interestedIn' | 'startStep' | 'welcomed'>;
};

/** The texts of the own profile that the app saves by itself. */
export type TextsOfProfile = {
  bio?: string;
  loveReflection?: string;
  occupation?: string;
  prompts?: { question: string; answer: string; voiceId?: string }[];
};

/**
 * Changed texts of the own profile, and the same texts before the member changed them: the server rejects the change if
 * another device has changed one of them since. A newer edit replaces an unsent one and keeps the texts before.
 */
export type ProfileTexts = { kind: 'profileTexts'; texts: TextsOfProfile; before: TextsOfProfile };

/**
 * Stores a text or other document of the member's own by PUT to the path. The operation lets the last edit win by the time
 * of writing, from `ageSeconds`, which is added to the body, and responds with what is stored and
 * `editedAt`. A newer edit replaces an unsent one. The response is stored in `meta` under the key.
 */
export type DocumentEdit = {
  kind: 'document';
  path: string;
  body: Record<string, unknown>;
  key: MetaKey;
  /** When the member wrote it (ms, this device's clock). */
  editedAt: number;
  /** The largest `ageSeconds` that the operation takes. */
  maxAgeSeconds: number;
};

/** The changed fields of the notification settings. Others keep the values that other devices have set. */
export type SettingsChange = { kind: 'settings'; patch: Partial<NotificationSettings> };

/** The member's answer of a day. A newer edit of the same day replaces an unsent one. */
export type PulseEdit = {
  kind: 'pulse';
  /** The id of the edit, not of the row. */
  editId: string;
  /** The day in the zone, YYYY-MM-DD. */
  date: string;
  timeZone: string;
  question: PulseQuestion;
  mood: PulseMood;
  reflection: string;
  /** When the member wrote it (ms, this device's clock). */
  editedAt: number;
};

/**
 * Marks notifications as read: the opened ones with their times, and all up to `until`. There is one row; further ones
 * are merged into it.
 */
export type NotificationsRead = {
  kind: 'notificationsRead';
  items: { id: string; at: string }[];
  until: string | null;
};

/** Marks a match as seen. */
export type MatchSeen = { kind: 'seen'; matchId: string };

/** Ends a match. The row waits for the time in which it can be taken back. */
export type Unmatch = { kind: 'unmatch'; matchId: string; userId: string };

/** Likes a post of the community board, or takes the like back. */
export type PostLike = { kind: 'postLike'; postId: string; liked: boolean };

/** A comment on a post; with `parentId` a reply to a comment. */
export type NewComment = { kind: 'comment'; postId: string; content: string; parentId?: string };
/** Says that the member has closed the celebration of a badge. */
export type BadgeClosed = { kind: 'badge'; badgeId: string };

/** Counts a share of a moment. */
export type MomentShare = {
  kind: 'share';
  momentId: string;
  channel: 'stories' | 'twitter' | 'whatsapp' | 'copy' | 'device';
};

/** A change of an existing message: shown at once, and reverted if the server rejects it. */
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
  /** The time (ms) before which the row is not sent. */
  nextAt: number;
  /** The delay until nextAt when it was set. A longer delay later means that the device's clock was set back. */
  waitMs?: number;
  /** Whether nextAt is from the server's Retry-After, which no trigger may shorten. */
  retryAfterLocked: boolean;
  /** Set while the member is still writing: the row waits until nextAt, also when its lane is sent. */
  isHeld?: boolean;
  createdAt: number;
  /** Increased when a newer body is merged into the row, also while it is in flight. */
  revision: number;
  reason?: string;
  status?: number;
};

/**
 * The bytes of a message's picture or recording. A row with bytes is written once and deleted once, never changed: what
 * changes is in a row of another table (FileRow). WebKit reads a stored Blob from its file on disk, and cannot do so
 * for a while after the row was written again; an upload then stalls (docs/decisions/0101-rows-with-bytes.md).
 */
export type BlobRow = {
  id: string;
  blob: Blob;
  /** The poster of a recorded video. */
  poster: Blob | null;
};

/**
 * A message's picture or recording. `keep` is 'unsent' until the server has acknowledged the message, then 'sent';
 * 'heard' marks files of the other member, stored for offline use.
 */
export type FileRow = {
  /** The attachment's localId; the server's id of the file once the message is sent. */
  id: string;
  /** The id of its bytes in `blobs`. It stays when `id` changes. */
  blobId: string;
  conversationId: string;
  keep: 'unsent' | 'sent' | 'heard';
  /** The size in bytes, with the poster. */
  bytes: number;
  /** The time (ms) of the last use; the least recently used file is evicted first. */
  usedAt: number;
  /** The addresses of the resumable uploads of the file and its poster. */
  uploadUrl?: string;
  posterUploadUrl?: string;
};

/** A part of a profile file. `url` is the address of its upload; `id` is set when all of it has arrived. */
export type UploadPart = { url: string | null; id: string | null };

/** The bytes of a ProfileFile. As a BlobRow, it is never changed. */
export type ProfileFileRow = {
  id: string;
  bytes: Blob;
  /** A picture of a video. */
  poster?: Blob | null;
};

/** What the operation of a profile file is told about it, beside its uploads. */
export type ProfileFileDetails = {
  method: 'POST' | 'PUT';
  /** The operation that makes the file from the upload. Files of one operation are sent in order. */
  path: string;
  /** Of a recording or video; `chosen` for a video file of the device, which the server converts. */
  recorded?: { durationMs: number; waveform: number[]; chosen?: true };
  /** The question that a recording answers. */
  question?: string;
  /** The part of a picture that the server cuts out, in shares of its sides. */
  crop?: { x: number; y: number; width: number; height: number };
};

/** A photo or recording of the member's own profile, until the server has added it. */
export type ProfileFile = ProfileFileDetails & {
  kind: 'profileFile';
  /** The id of its bytes in `profileFiles`. */
  blobId: string;
  /** Whether a picture was scaled down to the size in which it is uploaded. */
  isScaled?: true;
  upload: UploadPart;
  posterUpload: UploadPart;
  /** Whether the server did not find a complete upload, so that the file was uploaded once more. */
  isRepeated?: true;
};

/** About a second of a recording, with the fields needed to restore the recording after a crash. It is never changed. */
export type ChunkRow = {
  recordingId: string;
  index: number;
  conversationId: string;
  kind: 'voice' | 'video';
  mimeType: string;
  blob: Blob;
  /** The duration of the recording up to the end of this chunk. */
  elapsedMs: number;
  /** The loudness since the previous chunk. */
  levels: number[];
  poster: Blob | null;
};

/** A post of the community board, with its text and comments once it was opened. */
export type PostRow = {
  id: string;
  post: PostCard & Partial<Post>;
  /** The comments loaded so far; `next` is the cursor of the next page. */
  comments?: { items: CommentThread[]; next: string | null };
  fetchedAt: number;
};
