import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { QueuedAppeal } from '@/api/types.ts';
import { formatDate } from '@/base/format.ts';
import { Badge, RelativeTime, Select } from '@/ui';
import { AppealEntry } from './AppealEntry.tsx';
import { appealOutcomeLabels, describeDue, describeMember, sanctionLabels } from './adminLabels.ts';
import { type AppealStatus, appealCountsQuery, useAppeals } from './adminRequests.ts';
import { Queue, QueueRow, Split } from './Split.tsx';

const statusLabels: Record<AppealStatus, string> = { pending: 'Open', decided: 'Decided' };

/** The appeals against sanctions, pending ones the oldest first, and the open one. */
export function Appeals({ id }: { id?: string }) {
  const [status, setStatus] = useState<AppealStatus>('pending');
  const counts = useQuery(appealCountsQuery).data;
  const query = useAppeals(status);
  const rows = query.data ?? [];
  const at = rows.findIndex((row) => row.id === id);
  return (
    <Split
      entry={id ? <AppealEntry id={id} key={id} nextId={rows[at + 1]?.id} queued={rows[at]} /> : null}
      hint="Choose an appeal. Its text is shown after you say why you open it."
      list={
        <>
          <div className="mb-3">
            <Select
              hint={counts && counts.overdue > 0 ? `${counts.overdue} overdue` : undefined}
              label="Status"
              onChange={({ target }) => setStatus(target.value as AppealStatus)}
              value={status}
            >
              <option value="pending">
                {statusLabels.pending}
                {counts && ` (${counts.pending})`}
              </option>
              <option value="decided">{statusLabels.decided}</option>
            </Select>
          </div>
          <Queue
            empty={
              status === 'pending'
                ? {
                    title: 'No open appeals',
                    text: 'What members write against suspensions and reviews appears here.',
                  }
                : { title: 'No decided appeals', text: 'Decided appeals appear here.' }
            }
            label={statusLabels[status]}
            query={query}
          >
            {(row) => (
              <li key={row.id}>
                <QueueRow id={row.id} open={row.id === id} tab="appeals">
                  <AppealSummary appeal={row} />
                </QueueRow>
              </li>
            )}
          </Queue>
        </>
      }
      tab="appeals"
    />
  );
}

function AppealSummary({ appeal }: { appeal: QueuedAppeal }) {
  const due = describeDue(appeal.dueAt);
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone="plum">{sanctionLabels[appeal.kind]}</Badge>
        <span className="font-semibold">of {formatDate(appeal.sanctionedAt)}</span>
        <RelativeTime className="ms-auto text-muted text-xs" value={appeal.createdAt} />
      </span>
      <span dir="auto">{describeMember(appeal.user)}</span>
      <span className="flex flex-wrap gap-x-3 text-muted text-xs">
        {appeal.outcome ? (
          <span>{appealOutcomeLabels[appeal.outcome]}</span>
        ) : (
          <>
            <span className={due.isOverdue ? 'font-semibold text-danger' : undefined}>{due.text}</span>
            <span>{appeal.openedAt ? 'Opened' : 'Not opened yet'}</span>
            {!appeal.mayDecide && <span>Needs another admin</span>}
          </>
        )}
      </span>
    </>
  );
}
