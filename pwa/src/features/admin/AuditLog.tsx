import { type ReactNode, useState } from 'react';
import type { AuditEntry } from '@/api/types.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { Button, Select, TextField } from '@/ui';
import { type AuditFilter, listAudit } from './adminRequests.ts';
import { type Column, DataTable } from './DataTable.tsx';
import { type DayRange, timesOf } from './dayRange.ts';
import { Pages } from './Pages.tsx';
import { type AuditPerson, PersonSearch } from './PersonSearch.tsx';
import { usePages } from './usePages.ts';

const nameOf = (member: AuditPerson['member']) => member.fullName ?? 'Deleted account';

const areas: [prefix: string, label: string][] = [
  ['report.', 'Reports'],
  ['appeal.', 'Appeals'],
  ['flag.', 'Flagged messages'],
  ['verification.', 'Verifications'],
  ['profile_review.', 'New profiles'],
  ['birth_date.', 'Birthdays'],
  ['graduation.', 'Graduations'],
  ['community_post.', 'Stories'],
  ['community_comment.', 'Comments'],
  ['member.', 'Members'],
  ['ban.', 'Bans'],
  ['graduation.', 'Graduations'],
  ['community_post.', 'Posts'],
  ['community_comment.', 'Comments'],
  ['settings.', 'Settings'],
  ['jobs.', 'Background jobs'],
  ['digest.', 'Weekly digest'],
  ['admin.', 'Rights of admins'],
];

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

  function memberColumn(
    id: 'admin' | 'subject',
    header: string,
    as: 'adminId' | 'subjectId',
  ): Column<AuditEntry> {
    return {
      id,
      header,
      enableSorting: false,
      cell: ({ row }) => {
        const member = row.original[id];
        if (!member) return id === 'admin' ? 'Command line' : '';
        return (
          <button
            className="min-h-6 text-start font-semibold text-ember-strong"
            onClick={() => setPerson({ as, member })}
            type="button"
          >
            {nameOf(member)}
          </button>
        );
      },
    };
  }

  const columns: Column<AuditEntry>[] = [
    {
      id: 'at',
      header: 'Time',
      enableSorting: false,
      accessorFn: ({ createdAt }) => `${formatDate(createdAt)}, ${formatTime(createdAt)}`,
    },
    memberColumn('admin', 'Admin', 'adminId'),
    { id: 'action', header: 'Action', accessorKey: 'action', enableSorting: false },
    memberColumn('subject', 'Member', 'subjectId'),
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
          columns={columns}
          label="Audit log"
          rowId={({ id }) => String(id)}
          rows={rows}
        />
      </Pages>
    </div>
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
        {areas.map(([prefix, label]) => (
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
