import { MAX_SAVE_LOVE_PULSE_AGE_SECONDS } from '@/api/limits.gen.ts';
import type { RequestOptions } from '../../api/request.ts';
import { responseOf } from '../store/pulses.ts';
import type { OutboxBody, OutboxRow, PulseEdit, Unpass } from '../store/rows.ts';
import { requestOfFile } from './profileFileBody.ts';

/** The request that sends a row. */
export type OutboxRequest = Pick<RequestOptions, 'method' | 'body'> & { path: string };

const post = (path: string, body?: unknown): OutboxRequest => ({ method: 'POST', path, body });
const put = (path: string, body?: unknown): OutboxRequest => ({ method: 'PUT', path, body });
const patch = (path: string, body: unknown): OutboxRequest => ({ method: 'PATCH', path, body });
const remove = (path: string): OutboxRequest => ({ method: 'DELETE', path });

/** Returns the request that sends a row, whose files are uploaded. */
export function requestOf(row: OutboxRow): OutboxRequest {
  const { clientId, conversationId } = row;
  const { kind: _, ...body } = row.body;
  switch (row.body.kind) {
    case 'message':
      return post('/api/messages', messageOf(row));
    case 'reaction': {
      const path = `/api/conversations/${conversationId}/messages/${row.body.seq}/reaction`;
      const { emoji } = row.body;
      return emoji === null ? remove(path) : put(path, { emoji });
    }
    case 'delete':
      return remove(`/api/conversations/${conversationId}/messages/${row.body.seq}`);
    case 'like':
      return post('/api/likes', body);
    case 'pass':
      return post('/api/passes', { ...body, clientId });
    case 'unpass':
      return remove(unpassPath(row.body));
    case 'settings':
      return put('/api/notifications/settings');
    case 'notificationsRead':
      return post('/api/notifications/read', body);
    case 'seen':
      return post(`/api/matches/${row.body.matchId}/seen`);
    case 'unmatch':
      return remove(`/api/matches/${row.body.matchId}`);
    case 'badge':
      return post(`/api/badges/notify/${row.body.badgeId}`);
    case 'share':
      return post(`/api/moments/${row.body.momentId}/shares`, { clientId, channel: row.body.channel });
    case 'showPictures':
      return put(`/api/conversations/${conversationId}/settings`, { picturesShown: true });
    case 'pulse':
      return post('/api/love-pulse', pulseBody(row.userId, row.body));
    case 'document': {
      const { path, body: document, editedAt, maxAgeSeconds } = row.body;
      return put(path, { ...document, ageSeconds: ageOf(editedAt, maxAgeSeconds) });
    }
    case 'profileTexts':
      return patch('/api/users/me', { ...row.body.texts, before: row.body.before });
    case 'profileFile':
      return requestOfFile(row.body);
    case 'start':
      return patch('/api/users/me', row.body.answers);
    case 'receipt':
      return post(`/api/messages/${conversationId}/receipts`, body);
    case 'postLike':
      return post(`/api/community/posts/${row.body.postId}/like`, { liked: row.body.liked });
    case 'comment': {
      const { content, parentId, postId } = row.body;
      const comment = { clientId, content, ...(parentId && { parentId }) };
      return post(`/api/community/posts/${postId}/comments`, comment);
    }
  }
}

/** The age of an edit in seconds instead of its time, because the device's clock may be wrong. */
const ageOf = (editedAt: number, max: number): number =>
  Math.min(max, Math.max(0, Math.floor((Date.now() - editedAt) / 1000)));

const pulseBody = (
  userId: string,
  { kind: _, editId, mood, reflection, editedAt, ...body }: PulseEdit,
): Record<string, unknown> => ({
  ...body,
  userId,
  response: responseOf(mood, reflection),
  clientId: editId,
  ageSeconds: ageOf(editedAt, MAX_SAVE_LOVE_PULSE_AGE_SECONDS),
});

function messageOf({ body, clientId }: OutboxRow): Record<string, unknown> {
  const { kind: _, attachments, ...message } = body as Extract<OutboxBody, { kind: 'message' }>;
  return { ...message, ...(attachments && { fileIds: attachments.map(({ fileId }) => fileId) }), clientId };
}

const unpassPath = ({ targetUserId, passId }: Unpass) =>
  `/api/passes/${targetUserId}${passId ? `?clientId=${passId}` : ''}`;
