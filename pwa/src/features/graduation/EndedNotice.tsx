import { X } from 'lucide-react';
import type { CoupleState } from '@/api/types.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { IconButton } from '@/ui';

const endings = {
  declined: 'Your partner would rather wait. You can ask again later.',
  withdrawn: 'Your graduation was withdrawn.',
  rejected: 'A moderator could not approve it:',
};

/** How the last couple has ended, until it is dismissed on this device. */
export function EndedNotice({ ended }: { ended: NonNullable<CoupleState['ended']> }) {
  const db = useDb();
  const dismissed = useLive(async (db) => (await getMeta(db, 'graduation:dismissed')) ?? '');
  if (dismissed === undefined || dismissed === ended.endedAt) return null;
  return (
    <div className="card flex items-center gap-2 py-2 pe-2 ps-5">
      <p className="flex-1 py-2">
        {endings[ended.status]} {ended.reason && <bdi className="font-medium">{ended.reason}</bdi>}
      </p>
      <IconButton
        className="self-start"
        icon={X}
        label="Dismiss"
        onClick={() => void setMeta(db, 'graduation:dismissed', ended.endedAt)}
      />
    </div>
  );
}
