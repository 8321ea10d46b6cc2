import { type ReactNode, useState } from 'react';
import type { AuditEntry } from '@/api/types.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { Button, Select, TextField } from '@/ui';
import { auditAreas } from './adminLabels.ts';
import { type AuditFilter, listAudit } from './adminRequests.ts';
import { type Column, DataTable } from './DataTable.tsx';
import { type DayRange, timesOf } from './dayRange.ts';
import { Pages } from './Pages.tsx';
import { type AuditPerson, PersonSearch } from './PersonSearch.tsx';
import { usePages } from './usePages.ts';

const nameOf = (member: AuditPerson['member']) => member.fullName ?? 'Deleted account';

/** Returns the detail of an entry as "pose: wave, verification: …". */
function describeDetail(detail: AuditEntry['detail']): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

/** What admins did, the newest first. Entries cannot be changed. */
export function AuditLog() {
  const [action, setAction] = useState('');
  const [days, setDays] = useState({ first: '', last: '' });
  const [person, setPerson] = useState<AuditPerson>();
  const filter: AuditFilter = {
    ...(action && { action }),
    ...timesOf(days),
    ...(person && { [person.as]: person.member.id }),
  };
  const { query, rows, ...pages } = usePages('audit', filter, listAudit);

  return (
    <div className="flex flex-col gap-4">
      <AuditFilters action={action} days={days} onAction={setAction} onDays={setDays}>
        {person && (
          <Button onClick={() => setPerson(undefined)} variant="secondary">
            {person.as === 'adminId' ? 'By' : 'About'} {nameOf(person.member)}: show all
          </Button>
        )}
      </AuditFilters>
      <PersonSearch onChoose={setPerson} />
      <Pages {...pages} empty="No entries." isEmpty={rows.length === 0} query={query}>
        <DataTable
          busy={query.isPlaceholderData}
          columns={columnsOf(setPerson)}
          label="Audit log"
          rowId={({ id }) => String(id)}
          rows={rows}
        />
      </Pages>
    </div>
  );
}

type OnPerson = (person: AuditPerson) => void;

const columnsOf = (onPerson: OnPerson): Column<AuditEntry>[] => [
  {
    id: 'at',
    header: 'Time',
    enableSorting: false,
    accessorFn: ({ createdAt }) => `${formatDate(createdAt)}, ${formatTime(createdAt)}`,
  },
  {
    id: 'admin',
    header: 'Admin',
    enableSorting: false,
    cell: ({ row: { original } }) =>
      original.admin ? (
        <PersonButton as="adminId" member={original.admin} onPerson={onPerson} />
      ) : (
        'Command line'
      ),
  },
  { id: 'action', header: 'Action', accessorKey: 'action', enableSorting: false },
  {
    id: 'subject',
    header: 'Member',
    enableSorting: false,
    cell: ({ row: { original } }) =>
      original.subject && <PersonButton as="subjectId" member={original.subject} onPerson={onPerson} />,
  },
  { id: 'reason', header: 'Reason', accessorKey: 'reason', enableSorting: false },
  {
    id: 'detail',
    header: 'Details',
    enableSorting: false,
    cell: ({ row }) => (
      <span className="text-muted text-xs [overflow-wrap:anywhere]">
        {describeDetail(row.original.detail)}
      </span>
    ),
  },
];

/** The name of a person, which shows their entries only. */
function PersonButton({ as, member, onPerson }: AuditPerson & { onPerson: OnPerson }) {
  return (
    <button
      className="min-h-6 text-start font-semibold text-ember-strong"
      onClick={() => onPerson({ as, member })}
      type="button"
    >
      {nameOf(member)}
    </button>
  );
}

type AuditFiltersProps = {
  action: string;
  days: DayRange;
  onAction: (action: string) => void;
  onDays: (days: DayRange) => void;
  children: ReactNode;
};

function AuditFilters({ action, days, onAction, onDays, children }: AuditFiltersProps) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select label="Area" onChange={({ target }) => onAction(target.value)} value={action}>
        <option value="">Everything</option>
        {auditAreas.map(([prefix, label]) => (
          <option key={prefix} value={prefix}>
            {label}
          </option>
        ))}
      </Select>
      <TextField
        label="From"
        max={days.last || undefined}
        onChange={({ target }) => onDays({ ...days, first: target.value })}
        type="date"
        value={days.first}
      />
      <TextField
        label="To"
        min={days.first || undefined}
        onChange={({ target }) => onDays({ ...days, last: target.value })}
        type="date"
        value={days.last}
      />
      {children}
    </div>
  );
}
