import { cancelUnmatch } from '@/domain/unmatch.ts';
import { useOnline } from '@/offline/device/online.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { Button, toast, toastError, useAction } from '@/ui';
import type { MenuMember } from './openMenu.ts';

/** Shown in place of what can be done with a match, while the end of the match can be taken back. */
export function EndingMatch({ member }: { member: MenuMember }) {
  const db = useDb();
  const online = useOnline();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-0 flex-1 basis-40 text-muted text-sm" role="status">
        {online ? 'Your match is about to end.' : "You're offline. Your match ends once you're connected."}
      </p>
      <UndoUnmatch db={db} member={member} />
    </div>
  );
}

/** Keeps a match that is about to end. It gets the database, because a toast is outside the session's context. */
export function UndoUnmatch({ db, member }: { db: HeartwardDb; member: MenuMember }) {
  const [keep, { isBusy }] = useAction(async () => {
    if (await cancelUnmatch(db, member.id))
      toast({ title: `You're still matched with ${member.firstName || 'them'}` });
    else toastError('The match has already ended.');
  });
  return (
    <Button busy={isBusy} onClick={keep} size="sm" variant="secondary">
      Undo
    </Button>
  );
}
