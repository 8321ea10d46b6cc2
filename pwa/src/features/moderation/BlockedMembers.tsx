import { formatDate } from '@/base/format.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { BlockedRow } from '@/offline/store/db.ts';
import { Avatar, Button, Skeleton, toast, useAction } from '@/ui';
import { useBlocked } from './blocked.ts';
import { unblock } from './contactActions.ts';
import { ListNotLoaded } from './ListNotLoaded.tsx';

/** The blocked members, in the privacy settings, each with a button to unblock. */
export function BlockedMembers() {
  const { data = [], state, refresh } = useBlocked();
  return (
    <section aria-labelledby="blocked-title" className="card p-5">
      <h2 className="font-display font-semibold text-lg" id="blocked-title">
        Blocked members
      </h2>
      <p className="mt-1 text-muted text-sm">You won't see each other, and they aren't told.</p>
      {state === 'loading' && <ListSkeleton />}
      {state === 'empty' && <p className="mt-4">You haven't blocked anyone.</p>}
      {state === 'error' && <ListNotLoaded onRetry={refresh} />}
      {data.length > 0 && (
        <ul className="mt-2 divide-y divide-line">
          {data.map((row) => (
            <Row key={row.user.id} row={row} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ row: { user, blockedAt } }: { row: BlockedRow }) {
  const db = useDb();
  const name = user.firstName || 'this member';

  async function unblockMember() {
    await unblock(db, user.id);
    toast({ title: `${name} is unblocked`, description: 'A match that ended does not come back.' });
  }
  const [submit, { isBusy }] = useAction(unblockMember, { staysBusy: true });

  return (
    <li className="flex items-center gap-3 py-3">
      <Avatar user={user} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{user.firstName || 'Anonymous'}</span>
        <span className="block truncate text-muted text-sm">Since {formatDate(blockedAt)}</span>
      </span>
      <Button aria-label={`Unblock ${name}`} busy={isBusy} onClick={submit} size="sm" variant="secondary">
        Unblock
      </Button>
    </li>
  );
}

// As high as the sentence of an empty list, which most members see, so that nothing below it moves.
function ListSkeleton() {
  return (
    <div aria-label="Loading blocked members" className="mt-4" role="status">
      <Skeleton className="h-6" />
    </div>
  );
}
