/**
 * Blocks, reports and the end of a conversation. They are not queued offline: the screen must not claim what has not
 * happened. An unmatch, which can be undone, waits in the outbox (`domain/unmatch.ts`).
 */

import { api, unwrap } from '@/api/client.ts';
import type { MemberPlace, MenuContent } from '@/member-menu/openMenu.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { purgeMember } from '@/offline/store/purge.ts';
import type { Reason } from './reasons.ts';

export async function block(db: HeartwardDb, userId: string): Promise<void> {
  await unwrap(api.POST('/api/blocks', { body: { userId } }));
  await purgeMember(db, userId);
}

export async function unblock(db: HeartwardDb, userId: string): Promise<void> {
  await unwrap(api.DELETE('/api/blocks/{userId}', { params: { path: { userId } } }));
  await db.blocks.delete(userId);
}

/** Ends a conversation, with or without a match. */
export async function leave(db: HeartwardDb, conversationId: string, userId: string): Promise<void> {
  await unwrap(api.DELETE('/api/conversations/{id}', { params: { path: { id: conversationId } } }));
  await purgeMember(db, userId);
}

type Report = { userId: string; reason: Reason['value']; description: string; place: MemberPlace };

/** Reports a member and hides them. */
export async function report(db: HeartwardDb, body: Report): Promise<void> {
  await unwrap(api.POST('/api/reports', { body }));
  await purgeMember(db, body.userId);
}

/** Reports a post or comment. Unlike the report of a member, it blocks nobody. */
export async function reportContent(
  { kind, id }: MenuContent,
  reason: Reason['value'],
  description: string,
): Promise<void> {
  const request = { params: { path: { id } }, body: { reason, description } };
  await unwrap(
    kind === 'post'
      ? api.POST('/api/community/posts/{id}/report', request)
      : api.POST('/api/community/comments/{id}/report', request),
  );
}
