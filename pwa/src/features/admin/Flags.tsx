import type { QueuedFlag } from '@/api/types.ts';
import { Badge, RelativeTime } from '@/ui';
import { describeMember, flagCategoryLabels, flagSourceLabels } from './adminLabels.ts';
import { decideEach, decideFlag, refreshQueue, useFlags } from './adminRequests.ts';
import { type BulkChoice, BulkDecision } from './BulkDecision.tsx';
import { FlagEntry } from './FlagEntry.tsx';
import { useOpenedHere } from './queueRequests.ts';
import { Queue, QueueRow, Split } from './Split.tsx';
import { RowBox, useQueueRows } from './selection.tsx';

/** The messages that the filter, the recipient or the external moderation has flagged, and the open one. */
export function Flags({ id }: { id?: string }) {
  const query = useFlags();
  const rows = query.data ?? [];
  const opened = useOpenedHere();
  const { open, nextId, selected, toggle, clear } = useQueueRows(rows, id, (row) => opened.has(row.id));

  return (
    <Split
      entry={id ? <FlagEntry id={id} key={id} nextId={nextId} queued={open} /> : null}
      hint="Choose a message. It is shown after you say why you open it."
      list={
        <>
          <BulkDecision
            choices={flagChoices}
            decide={(ids, decision, reason) =>
              decideEach(ids, (flagId) => decideFlag(flagId, { decision, reason }))
            }
            ids={selected}
            nameOf={(flagId) => nameIn(rows, flagId)}
            noun={{ one: 'message', many: 'messages' }}
            onClear={clear}
            onSent={() => void refreshQueue('flags')}
          />
          <Queue
            empty={{ title: 'No flagged messages', text: 'Messages that need a look appear here.' }}
            label="Flagged messages"
            query={query}
          >
            {(row) => (
              <li className="flex items-start" key={row.id}>
                <RowBox
                  checked={selected.includes(row.id)}
                  disabled={!opened.has(row.id)}
                  label={`Select the message of ${describeMember(row.sender)}`}
                  onToggle={() => toggle(row.id)}
                />
                <QueueRow id={row.id} open={row.id === id} tab="messages">
                  <FlagSummary flag={row} />
                </QueueRow>
              </li>
            )}
          </Queue>
        </>
      }
      tab="messages"
    />
  );
}

export const flagChoices: BulkChoice<'dismiss'>[] = [
  {
    value: 'dismiss',
    label: 'Dismiss',
    key: 'd',
    done: 'Dismissed',
    description: 'Nothing follows for their senders.',
    hint: 'For the audit log. No member sees it.',
  },
];

function nameIn(rows: QueuedFlag[], id: string): string {
  const row = rows.find((one) => one.id === id);
  return row ? describeMember(row.sender) : 'A message';
}

function FlagSummary({ flag }: { flag: QueuedFlag }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-semibold">
          {flag.category ? flagCategoryLabels[flag.category] : 'Flagged by the recipient'}
        </span>
        {flag.answer === 'bothers' && <Badge tone="danger">Bothers</Badge>}
        <RelativeTime className="ms-auto text-muted text-xs" value={flag.createdAt} />
      </span>
      <span dir="auto">{describeMember(flag.sender)}</span>
      <span className="text-muted text-xs">
        {flagSourceLabels[flag.source]}
        {flag.score !== null && `, ${Math.round(flag.score * 100)}%`}
        {flag.otherFlags > 0 && `, ${flag.otherFlags} more in 90 days`}
      </span>
    </>
  );
}
