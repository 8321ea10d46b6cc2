/**
 * Removes all data of a member from this device after the contact has ended (by a block, a report or an unmatch of
 * either side): rows, values and cached photos. Each part of the app registers the data that it stores about members.
 */
import { type InSession, part } from '@/base/pageSession.ts';
import type { HeartwardDb } from './db.ts';
import { deleteCachedFiles } from './fileCaches.ts';
import { setMeta } from './meta.ts';

/** The member to remove and their conversations on this device. */
type PurgedMember = { userId: string; conversationIds: readonly string[] };

/** The data that one part of the app stores about members. */
export type MemberData = {
  /** Returns stored data of the member. The files whose addresses it contains are deleted from the caches. */
  find?: (db: HeartwardDb, member: PurgedMember) => Promise<unknown>;
  /** Removes all data of the member. It runs in a transaction on all tables. */
  remove: (db: HeartwardDb, member: PurgedMember) => Promise<unknown>;
};

const registered = new Set<MemberData>();

/** Registers data that `purgeMember` removes. */
export function onPurge(data: MemberData): void {
  registered.add(data);
}

/** When members were purged in this tab (ms). */
const purgedAtOf = part(() => new Map<string, number>());

/** Whether the member was purged at or after `since`: a response requested at `since` may still contain them. */
export const purgedSince = (owner: InSession, userId: string, since: number): boolean =>
  (purgedAtOf(owner).get(userId) ?? 0) >= since;

/** Removes all data of a member from this device. Returns the number of unsent messages to the member among it. */
export async function purgeMember(db: HeartwardDb, userId: string): Promise<number> {
  purgedAtOf(db).set(userId, Date.now());
  const { found, unsent } = await db.transaction('rw', db.tables, async () => {
    const conversationIds = await db.conversations.where('userId').equals(userId).primaryKeys();
    const member = { userId, conversationIds };
    const found: unknown[] = [];
    for (const { find } of registered) found.push(await find?.(db, member));
    const before = await countUnsent(db);
    for (const { remove } of registered) await remove(db, member);
    return { found, unsent: before - (await countUnsent(db)) };
  });
  await deleteCachedFiles([
    ...new Set(JSON.stringify(found).match(/\/(?:files|api\/community\/pictures)\/[^"]+/g)),
  ]);
  return unsent;
}

const countUnsent = (db: HeartwardDb) => db.outbox.filter(({ kind }) => kind === 'message').count();

/** Purges a member after the contact has ended elsewhere, and sets `undelivered` if unsent messages were deleted. */
export async function purgeWithNotice(db: HeartwardDb, userId: string): Promise<void> {
  if ((await purgeMember(db, userId)) > 0) await setMeta(db, 'undelivered', true);
}
