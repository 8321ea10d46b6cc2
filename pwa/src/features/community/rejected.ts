import type { Settled } from '@/offline/outbox/outbox.ts';
import { toastError } from '@/ui';
import { LIKE_FAILED } from './postLikes.ts';

/** Reports a like or comment that the server has rejected. A rejected comment stays below its post. */
export function reportRejected(result: Settled): void {
  if (result.ok) return;
  if (result.row.kind === 'comment') toastError(result.reason, 'Your comment was not sent');
  if (result.row.kind === 'postLike') toastError(result.reason, LIKE_FAILED);
}
