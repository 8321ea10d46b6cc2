/** How the server's response to each kind of row is recognised and stored, in page and service worker. */
import type {
  ConversationSummary,
  LikeResult,
  Me,
  Message,
  NotificationSettings,
  Photo,
  PostComment,
  PostLikes,
  PulseEntry,
  Recording,
  UnreadCount,
} from '../../api/types.ts';
import { MERGE_TABLES, mergeChange, mergeMessage } from '../store/merge.ts';
import type { MetaRow } from '../store/meta.ts';
import { mergePulse } from '../store/pulses.ts';
import type { OutboxRow } from '../store/rows.ts';
import { mergeShares } from '../store/shares.ts';
import type { Tx } from '../store/tx.ts';
import { fileTables, storeSentFiles } from './attachments.ts';
import { postTables, storePostChange } from './postChanges.ts';
import { profileTables, storeProfile } from './profile.ts';

/**
 * The body of the response: for a change of a message the message, for changed settings all settings, for shown pictures
 * the conversation, for read notifications the number of those unread, for an answer of the Love Pulse what is stored of its day,
 * for a share of a moment the number of its shares, for a document of a feature what is stored, for texts and answers the profile,
 * for a file of the profile the picture or recording.
 */
export type ResponseBody =
  | Message
  | LikeResult
  | NotificationSettings
  | ConversationSummary
  | PulseEntry
  | UnreadCount
  | PostLikes
  | PostComment
  | { shareCount: number }
  | { editedAt: string | null }
  | Me
  | Photo
  | Recording
  | undefined;

export const isChange = ({ kind }: OutboxRow) => kind === 'reaction' || kind === 'delete';

/** A property of the response to each kind that has one. */
const PROPERTIES: { readonly [kind in OutboxRow['kind']]?: string } = {
  settings: 'quietFrom',
  notificationsRead: 'unread',
  showPictures: 'picturesShown',
  postLike: 'likedByMe',
  comment: 'isOwn',
  share: 'shareCount',
  document: 'editedAt',
  start: 'loveReflection',
  profileTexts: 'loveReflection',
  pulse: 'reflection',
};

/**
 * Whether the response is the server's for this row, and not from a proxy such as a captive portal's with status 200.
 */
export function acknowledges(response: ResponseBody, row: OutboxRow): boolean {
  const { body } = row;
  if (isChange(row))
    return response !== undefined && 'seq' in response && 'seq' in body && response.seq === body.seq;
  if (row.kind === 'message')
    return (
      response !== undefined &&
      'seq' in response &&
      'clientId' in response &&
      response.clientId === row.clientId &&
      response.seq > 0
    );
  const property = PROPERTIES[row.kind];
  return !property || (response !== undefined && property in response);
}

/** The tables that `storeResponse` needs. */
export const responseTables = (row: OutboxRow) =>
  [...MERGE_TABLES, 'meta', ...fileTables(row), ...postTables(row), ...profileTables(row)] as const;

type Received = {
  /** The row as it was sent. */
  row: OutboxRow;
  /** The row as it is now: a newer body may have been merged into it during the request. */
  current: OutboxRow;
  response: unknown;
  memberId: string;
  /** Milliseconds since 1970. */
  now: number;
};

/** Merges the response to a row. Returns true if messages before it are missing. */
export async function storeResponse(
  tx: Tx,
  { row, current, response, memberId, now }: Received,
): Promise<boolean> {
  const { body } = row;
  if (isChange(row)) return (await mergeChange(tx, memberId, response as Message)) === 'gap';
  if (row.kind === 'settings')
    await tx.put('meta', { key: 'settings', value: response as NotificationSettings });
  await storePostChange(tx, row, response);
  await storeProfile(tx, row, response);
  if (row.kind === 'pulse') await mergePulse(tx, response as PulseEntry);
  if (body.kind === 'document') await tx.put('meta', { key: body.key, value: response } as MetaRow);
  if (current.body.kind === 'profileFile') await tx.delete('profileFiles', current.body.blobId);
  if (body.kind === 'share')
    await mergeShares(tx, body.momentId, (response as { shareCount: number }).shareCount);
  // Without those that the member has read during the request.
  if (row.kind === 'notificationsRead' && current.revision === row.revision)
    await tx.put('meta', { key: 'notifications:unread', value: (response as UnreadCount).unread });
  if (row.kind !== 'message') return false;
  await storeSentFiles(tx, current, now);
  return (await mergeMessage(tx, memberId, response as Message)) === 'gap';
}
