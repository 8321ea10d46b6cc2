import type { QueuedProfile } from '@/api/types.ts';
import { RelativeTime } from '@/ui';
import { describeMember } from './adminLabels.ts';
import {
  decideProfileReviews,
  type ProfileDecision,
  refreshQueue,
  useProfileReviews,
} from './adminRequests.ts';
import { type BulkChoice, BulkDecision } from './BulkDecision.tsx';
import { ProfileEntry } from './ProfileEntry.tsx';
import { Queue, QueueRow, Split } from './Split.tsx';
import { RowBox, useQueueRows } from './selection.tsx';

/** The new profiles and first photos that wait, the oldest first, and the open one. */
export function Profiles({ id }: { id?: string }) {
  const query = useProfileReviews();
  const rows = query.data ?? [];
  const { open, nextId, rowOf, selected, toggle, clear } = useQueueRows(rows, id, ({ opened }) => opened);
  const nameOf = (rowId: string) => describeMember(rowOf(rowId)?.user ?? null);
  return (
    <Split
      entry={id ? <ProfileEntry id={id} key={id} nextId={nextId} queued={open} /> : null}
      hint="Choose a profile. It is shown after you say why you open it."
      list={
        <>
          <BulkDecision
            choices={profileChoices}
            decide={decideProfileReviews}
            ids={selected}
            nameOf={nameOf}
            noun={{ one: 'profile', many: 'profiles' }}
            onClear={clear}
            onSent={() => void refreshQueue('profiles')}
          />
          <Queue
            empty={{
              title: 'No profiles wait',
              text: 'New ones appear here while "Review new profiles" is on in the settings.',
            }}
            label="Waiting profiles"
            query={query}
          >
            {(row) => (
              <li className="flex items-start" key={row.id}>
                <RowBox
                  checked={selected.includes(row.id)}
                  disabled={!row.opened}
                  label={`Select ${describeMember(row.user)}`}
                  onToggle={() => toggle(row.id)}
                />
                <QueueRow id={row.id} open={row.id === id} tab="profiles">
                  <ProfileSummary row={row} />
                </QueueRow>
              </li>
            )}
          </Queue>
        </>
      }
      tab="profiles"
    />
  );
}

function ProfileSummary({ row }: { row: QueuedProfile }) {
  return (
    <>
      <span className="flex items-center gap-2">
        <span className="font-semibold" dir="auto">
          {describeMember(row.user)}
        </span>
        <RelativeTime className="ms-auto text-muted text-xs" value={row.submittedAt} />
      </span>
      <span className="text-muted text-xs">
        {row.subject === 'profile' ? 'New profile' : 'New first photo'},{' '}
        {row.opened ? 'opened by you' : 'not opened yet'}
      </span>
    </>
  );
}

export const profileChoices: BulkChoice<ProfileDecision>[] = [
  {
    value: 'accept',
    label: 'Accept',
    key: 'a',
    done: 'Accepted',
    description: 'Others see them at once. Each member gets an email.',
    hint: 'For the audit log. No member sees it.',
  },
  {
    value: 'decline',
    label: 'Decline',
    key: 'd',
    done: 'Declined',
    description: 'They stay hidden. Each member gets an email with the reason, and can try again.',
    hint: 'The members see it.',
    danger: true,
  },
];
