import { MAX_SAVE_LOVE_PULSE_AGE_SECONDS } from '@/api/limits.gen.ts';
import type { RequestOptions } from '../../api/request.ts';
import { responseOf } from '../store/pulses.ts';
import type { OutboxBody, OutboxRow, PulseEdit, Unpass } from '../store/rows.ts';
import { requestOfFile } from './profileFileBody.ts';

/** The request that sends a row. */
export type OutboxRequest = Pick<RequestOptions, 'method' | 'body'> & { path: string };

/** Returns the request that sends a row, whose files are uploaded. */
export function requestOf(row: OutboxRow): OutboxRequest {
  const { kind: _, ...body } = row.body;
  const method = 'POST';
  switch (row.body.kind) {
    case 'message':
      return { method, path: '/api/messages', body: messageOf(row) };
    case 'reaction': {
      const path = `/api/conversations/${row.conversationId}/messages/${row.body.seq}/reaction`;
      const { emoji } = row.body;
      return emoji === null ? { method: 'DELETE', path } : { method: 'PUT', path, body: { emoji } };
    }
    case 'delete':
      return {
        method: 'DELETE',
        path: `/api/conversations/${row.conversationId}/messages/${row.body.seq}`,
      };
    case 'like':
      return { method, path: '/api/likes', body };
    case 'pass':
      return { method, path: '/api/passes', body: { ...body, clientId: row.clientId } };
    case 'unpass':
      return { method: 'DELETE', path: unpassPath(row.body) };
    case 'settings':
      return { method: 'PUT', path: '/api/notifications/settings' };
    case 'notificationsRead':
      return { method, path: '/api/notifications/read', body };
    case 'seen':
      return { method, path: `/api/matches/${row.body.matchId}/seen` };
    case 'unmatch':
      return { method: 'DELETE', path: `/api/matches/${row.body.matchId}` };
    case 'badge':
      return { method, path: `/api/badges/notify/${row.body.badgeId}` };
    case 'share': {
      const { momentId, channel } = row.body;
      return {
        method,
        path: `/api/moments/${momentId}/shares`,
        body: { clientId: row.clientId, channel },
      };
    }
    case 'showPictures':
      return {
        method: 'PUT',
        path: `/api/conversations/${row.conversationId}/settings`,
        body: { picturesShown: true },
      };
    case 'pulse':
      return { method, path: '/api/love-pulse', body: pulseBody(row.userId, row.body) };
    case 'document': {
      const { path, body: document, editedAt, maxAgeSeconds } = row.body;
      return { method: 'PUT', path, body: { ...document, ageSeconds: ageOf(editedAt, maxAgeSeconds) } };
    }
    case 'profileTexts':
      return { method: 'PATCH', path: '/api/users/me', body: { ...row.body.texts, before: row.body.before } };
    case 'profileFile':
      return requestOfFile(row.body);
    case 'start':
      return { method: 'PATCH', path: '/api/users/me', body: row.body.answers };
    case 'receipt':
      return { method, path: `/api/messages/${row.conversationId}/receipts`, body };
    case 'postLike':
      return {
        method,
        path: `/api/community/posts/${row.body.postId}/like`,
        body: { liked: row.body.liked },
      };
    case 'comment': {
      const { content, parentId } = row.body;
      const path = `/api/community/posts/${row.body.postId}/comments`;
      return { method, path, body: { clientId: row.clientId, content, ...(parentId && { parentId }) } };
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
