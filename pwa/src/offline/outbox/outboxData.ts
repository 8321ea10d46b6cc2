import type { MemberData } from '../store/purge.ts';
import type { OutboxRow } from '../store/rows.ts';

/** The rows addressed to the member or of their conversations. */
export const outboxData: MemberData = {
  remove: (db, { userId, conversationIds }) =>
    db.outbox
      .filter((row) => recipientOf(row) === userId || conversationIds.includes(row.conversationId ?? ''))
      .delete(),
};

function recipientOf({ body }: OutboxRow): string | null {
  if (body.kind === 'like') return body.toUserId;
  if (body.kind === 'pass' || body.kind === 'unpass') return body.targetUserId;
  if (body.kind === 'unmatch') return body.userId;
  return null;
}
