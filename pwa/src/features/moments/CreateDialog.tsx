import { useQuery } from '@tanstack/react-query';
import { Award, ChevronRight, HeartHandshake, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import type { Moment, MomentSubject } from '@/api/types.ts';
import { formatDate } from '@/base/format.ts';
import { useDb } from '@/offline/store/cached.ts';
import { Dialog, ErrorState, Skeleton, useAction } from '@/ui';
import { create, fetchSubjects } from './moments.ts';

type Kind = Moment['momentType'];

const kinds = [
  {
    kind: 'match',
    label: 'New Match',
    icon: HeartHandshake,
    none: 'All your matches have a moment already.',
  },
  { kind: 'badge', label: 'Badge Earned', icon: Award, none: 'All your badges have a moment already.' },
  {
    kind: 'referral',
    label: 'Referral Win',
    icon: UserPlus,
    none: 'No friend has completed their profile since your last moment.',
  },
] as const;

const rowClass =
  'flex min-h-14 w-full items-center gap-3 rounded-control px-3 py-2 text-start transition-colors hover:bg-raised';

/** Asks which kind of moment, and then of which event that really happened. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<Kind | null>(null);
  return (
    <Dialog
      description={chosen ? undefined : 'Only what really happened can become a moment.'}
      onClose={onClose}
      open
      title={kinds.find(({ kind }) => kind === chosen)?.label ?? 'Create Moment'}
    >
      {chosen ? (
        <Subjects kind={chosen} onDone={onClose} />
      ) : (
        <ul>
          {kinds.map(({ kind, label, icon: Icon }) => (
            <li key={kind}>
              <button className={rowClass} onClick={() => setChosen(kind)} type="button">
                <Icon aria-hidden="true" className="size-6 shrink-0 text-ember" />
                <span className="flex-1 font-medium">{label}</span>
                <ChevronRight aria-hidden="true" className="size-5 text-muted" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Subjects({ kind, onDone }: { kind: Kind; onDone: () => void }) {
  const db = useDb();
  const { data, error, refetch } = useQuery({
    queryKey: ['moment-subjects', kind],
    queryFn: ({ signal }) => fetchSubjects(kind, signal),
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
  });
  const [choose, { isBusy }] = useAction(async ({ id }: MomentSubject) => {
    await create(db, kind, id);
    onDone();
  });
  if (error && !data)
    return <ErrorState onRetry={refetch} text={describeLoadError(error)} title="We could not load these" />;
  if (!data) return <Skeleton className="h-28 rounded-control" />;
  if (data.length === 0) return <p>{kinds.find((entry) => entry.kind === kind)?.none}</p>;
  return (
    <ul>
      {data.map((subject) => (
        <li key={subject.id}>
          <button className={rowClass} disabled={isBusy} onClick={() => choose(subject)} type="button">
            <span className="min-w-0 flex-1">
              <bdi className="block font-medium">{subject.title || 'A friend joined'}</bdi>
              <span className="text-muted text-sm">{formatDate(subject.at)}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
