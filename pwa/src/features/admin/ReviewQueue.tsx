import { useState } from 'react';
import type { QueueEntry } from '@/api/types.ts';
import { adminPath } from '@/session/adminPaths.ts';
import { Badge, EmptyState, RelativeTime, Select, type Tone } from '@/ui';
import { describeDue, describeMember } from './adminLabels.ts';
import { refreshQueue } from './adminRequests.ts';
import { BulkDecision } from './BulkDecision.tsx';
import { QueueContext } from './queueContext.ts';
import { describeEntry, queueKinds } from './queueKinds.tsx';
import { type QueueKind, useOpenedHere, useQueueCounts, useQueueEntries } from './queueRequests.ts';
import { Queue, QueueRow, Split } from './Split.tsx';
import { RowBox, useSelection } from './selection.tsx';

const kinds = Object.keys(queueKinds) as QueueKind[];
const urgencyTones: Tone[] = ['danger', 'marigold', 'neutral'];
const urgencyLabels = ['Within an hour', 'Within a day', 'Within three days'];

/** An entry in the address: its kind and its id. */
const keyOf = ({ kind, id }: Pick<QueueEntry, 'kind' | 'id'>): string => `${kind}-${id}`;

function parseKey(key: string): { kind: QueueKind; id: string } | undefined {
  const kind = kinds.find((one) => key.startsWith(`${one}-`));
  return kind && { kind, id: key.slice(kind.length + 1) };
}

/** Everything that waits for the moderator, by urgency and age, and the open entry. */
export function ReviewQueue({ id: key }: { id?: string }) {
  const [shown, setShown] = useState<QueueKind>();
  // Their rows stay in the list until it was fetched again.
  const [decided, setDecided] = useState<string[]>([]);
  const query = useQueueEntries(shown);
  const rows = query.data ?? [];
  const open = key === undefined ? undefined : parseKey(key);
  return (
    <Split
      entry={
        key === undefined ? null : open ? (
          <OpenEntry
            key={key}
            {...open}
            decided={decided}
            onDecided={() => setDecided((ids) => [...ids, open.id])}
            rows={rows}
          />
        ) : (
          <Unknown />
        )
      }
      hint="Choose an entry. Its contents are shown after you say why you open it."
      list={
        <>
          <KindSelect onChange={setShown} shown={shown} />
          <Rows open={key} query={query} rows={rows} />
        </>
      }
      tab="queue"
    />
  );
}

const Unknown = () => <EmptyState art="letters" text="It may be decided already." title="No such entry" />;

type OpenEntryProps = {
  kind: QueueKind;
  id: string;
  rows: QueueEntry[];
  /** The ids of the entries that were decided here. */
  decided: string[];
  onDecided: () => void;
};

/** An entry with the address of the next one that waits and that no other moderator has open. */
function OpenEntry({ kind, id, rows, decided, onDecided }: OpenEntryProps) {
  const { Entry } = queueKinds[kind];
  const at = rows.findIndex((one) => one.id === id);
  const row = rows[at];
  const isFree = (one: QueueEntry) => (!one.claim || one.claim.isOwn) && !decided.includes(one.id);
  const next = rows.slice(at + 1).find(isFree) ?? rows.slice(0, Math.max(at, 0)).find(isFree);
  return (
    <QueueContext
      value={{
        next: next && next.id !== id ? adminPath('queue', keyOf(next)) : undefined,
        actions: row?.actions,
        onDecided,
      }}
    >
      {row && (
        <div className="card mb-5 flex flex-col gap-1 px-5 py-3 text-sm lg:hidden">
          <Summary row={row} />
        </div>
      )}
      <Entry id={id} />
    </QueueContext>
  );
}

type KindSelectProps = { shown?: QueueKind; onChange: (kind?: QueueKind) => void };

function KindSelect({ shown, onChange }: KindSelectProps) {
  const counts = useQueueCounts().data;
  const overdue = counts?.reduce((sum, count) => sum + count.overdue, 0) ?? 0;
  const countOf = (kind: QueueKind) => counts?.find((count) => count.kind === kind)?.waiting ?? 0;
  return (
    <div className="mb-3">
      <Select
        hint={overdue > 0 ? `${overdue} overdue` : undefined}
        label="Show"
        onChange={({ target }) => onChange(kinds.find((kind) => kind === target.value))}
        value={shown ?? ''}
      >
        <option value="">Everything</option>
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {queueKinds[kind].label}
            {counts && ` (${countOf(kind)})`}
          </option>
        ))}
      </Select>
    </div>
  );
}

type RowsProps = { rows: QueueEntry[]; open?: string; query: ReturnType<typeof useQueueEntries> };

/** The rows, with the decisions on several of one kind at once. */
function Rows({ rows, open, query }: RowsProps) {
  const [kind, setKind] = useState<QueueKind>();
  const rowOf = (key: string) => rows.find((row) => keyOf(row) === key);
  const opened = useOpenedHere();
  const mayChoose = (row?: QueueEntry) => row !== undefined && opened.has(row.id) && canChoose(row, kind);
  const { selected, toggle, clear } = useSelection(rows.map(keyOf), (key) => mayChoose(rowOf(key)));
  // The first row that is chosen gives the kind of the others.
  const current = selected[0] === undefined ? undefined : rowOf(selected[0])?.kind;
  if (current !== kind) setKind(current);
  const bulk = current && queueKinds[current].bulk;
  return (
    <>
      {bulk && current && (
        <BulkDecision
          choices={bulk.choices}
          decide={(keys, value, reason) =>
            bulk.decide(
              keys.flatMap((key) => parseKey(key)?.id ?? []),
              value,
              reason,
              opened,
            )
          }
          ids={selected}
          nameOf={(key) => describeMember(rowOf(key)?.member ?? null)}
          noun={queueKinds[current].noun}
          onClear={clear}
          onSent={() => void refreshQueue('queue')}
        />
      )}
      <Queue
        empty={{ title: 'Nothing waits', text: 'What needs a decision appears here, the most urgent first.' }}
        label="Queue"
        query={query}
      >
        {(row) => (
          <li className="flex items-start" key={keyOf(row)}>
            <RowBox
              checked={selected.includes(keyOf(row))}
              disabled={!mayChoose(row)}
              label={`Select: ${describeEntry(row)}, ${nameOf(row)}`}
              onToggle={() => toggle(keyOf(row))}
            />
            <QueueRow id={keyOf(row)} open={keyOf(row) === open} tab="queue">
              <Summary row={row} />
            </QueueRow>
          </li>
        )}
      </Queue>
    </>
  );
}

/** Whether a row can be decided with others of the kind, by the moderator who opened it: the server demands that. */
const canChoose = (row: QueueEntry, kind?: QueueKind): boolean =>
  queueKinds[row.kind].bulk !== undefined &&
  (kind === undefined || kind === row.kind) &&
  (!row.claim || row.claim.isOwn);

function nameOf({ kind, member, partner, why }: QueueEntry): string {
  if (kind === 'graduation')
    return `${member?.fullName ?? 'Deleted account'} & ${partner?.fullName ?? 'Deleted account'}`;
  return kind === 'report' && why.startsWith('issue_') ? 'No member' : describeMember(member);
}

function Summary({ row }: { row: QueueEntry }) {
  const due = describeDue(row.dueAt);
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <Badge className="first-letter:uppercase" tone={urgencyTones[row.urgency]}>
          {queueKinds[row.kind].noun.one}
        </Badge>
        <span className="font-semibold">{describeEntry(row)}</span>
        <RelativeTime className="ms-auto text-muted text-xs" value={row.waitsSince} />
      </span>
      <span dir="auto">{nameOf(row)}</span>
      <span className="flex flex-wrap gap-x-3 text-muted text-xs">
        <span>{urgencyLabels[row.urgency]}</span>
        <span className={due.isOverdue ? 'font-semibold text-danger' : undefined}>{due.text}</span>
        {row.claim && (
          <span className={row.claim.isOwn ? undefined : 'font-semibold text-plum'} dir="auto">
            {row.claim.isOwn ? 'Opened by you' : `Opened by ${row.claim.name}`}
          </span>
        )}
      </span>
    </>
  );
}
