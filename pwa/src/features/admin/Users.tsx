import type { SortingState } from '@tanstack/react-table';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { ListedMember } from '@/api/types.ts';
import { formatCount, formatDate } from '@/base/format.ts';
import { saveFile } from '@/media/saveFile.tsx';
import { adminPath } from '@/session/adminPaths.ts';
import { Badge, Button, RelativeTime, toast, useAction } from '@/ui';
import { describeStatus, statusTones } from './adminLabels.ts';
import { listMembers, type MemberFilter } from './adminRequests.ts';
import { toCsv, toCsvFile } from './csv.ts';
import { type Column, DataTable } from './DataTable.tsx';
import { Pages } from './Pages.tsx';
import { UserFilters } from './UserFilters.tsx';
import { UserPage } from './UserPage.tsx';
import { usePages } from './usePages.ts';

const columns: Column<ListedMember>[] = [
  {
    id: 'name',
    header: 'Name',
    accessorKey: 'fullName',
    cell: ({ row }) => <Name member={row.original} />,
    sortDescFirst: false,
  },
  { id: 'age', header: 'Age', accessorKey: 'age', enableSorting: false },
  {
    id: 'town',
    header: 'Town',
    accessorFn: ({ city, state }) => [city, state].filter(Boolean).join(', '),
    enableSorting: false,
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ row: { original } }) => (
      <Badge tone={statusTones[original.profileStatus]}>{describeStatus(original)}</Badge>
    ),
    enableSorting: false,
  },
  { id: 'marks', header: 'Marks', cell: ({ row }) => marksOf(row.original).join(', '), enableSorting: false },
  {
    id: 'created',
    header: 'Joined',
    accessorFn: ({ createdAt }) => formatDate(createdAt),
    sortDescFirst: true,
  },
  {
    id: 'active',
    header: 'Last active',
    accessorKey: 'lastActiveAt',
    cell: ({ row }) => <RelativeTime value={row.original.lastActiveAt} />,
    sortDescFirst: true,
  },
];

function Name({ member }: { member: ListedMember }): ReactNode {
  return (
    <Link
      className="inline-flex min-h-6 items-center font-semibold text-ember-strong"
      data-row
      to={adminPath('users', member.id)}
    >
      {member.fullName}
    </Link>
  );
}

function marksOf(member: ListedMember): string[] {
  const marks: [boolean, string][] = [
    [member.isVerified, 'Verified'],
    [member.isFeatured, 'Featured'],
    [member.isGraduated, 'Graduated'],
    [member.isAdmin, 'Admin'],
    [member.isModerator, 'Moderator'],
  ];
  return marks.filter(([is]) => is).map(([, mark]) => mark);
}

type Order = NonNullable<MemberFilter['sort']>;

const sortings: Record<Order, SortingState> = {
  newest: [{ id: 'created', desc: true }],
  oldest: [{ id: 'created', desc: false }],
  name: [{ id: 'name', desc: false }],
  last_active: [{ id: 'active', desc: true }],
};

/** Returns the server's order for a sorted column. It has names in one order only, and activity too. */
function orderOf([column]: SortingState): Order {
  if (column?.id === 'name') return 'name';
  if (column?.id === 'active') return 'last_active';
  return column?.desc === false ? 'oldest' : 'newest';
}

/** All members, filtered, sorted and paged by the server, or one of them. */
export function Users({ id }: { id?: string }) {
  return id ? <UserPage id={id} /> : <UserTable />;
}

function UserTable() {
  const [filter, setFilter] = useState<MemberFilter>({ sort: 'newest' });
  const { query, rows, total = 0, ...pages } = usePages('users', filter, listMembers);
  return (
    <div className="flex flex-col gap-4">
      <UserFilters filter={filter} onChange={setFilter} />
      <div className="flex flex-wrap items-center gap-3">
        <p aria-live="polite" className="me-auto text-muted text-sm">
          {query.data && (total === 1 ? '1 member' : `${formatCount(total)} members`)}
        </p>
        <ExportButton filter={filter} />
      </div>
      <Pages {...pages} empty="No member fits these filters." isEmpty={rows.length === 0} query={query}>
        <DataTable
          busy={query.isPlaceholderData}
          columns={columns}
          label="Members"
          onSort={(sorting) => setFilter({ ...filter, sort: orderOf(sorting) })}
          rowId={({ id }) => id}
          rows={rows}
          sorting={sortings[filter.sort ?? 'newest']}
        />
      </Pages>
    </div>
  );
}

const MAX_EXPORTED = 1000;

const exported = [
  'id',
  'fullName',
  'age',
  'city',
  'state',
  'profileStatus',
  'suspendedUntil',
  'isVerified',
  'isFeatured',
  'isGraduated',
  'isAdmin',
  'isModerator',
  'createdAt',
  'lastActiveAt',
] as const;

function ExportButton({ filter }: { filter: MemberFilter }) {
  const [save, { isBusy }] = useAction(async () => {
    const members: ListedMember[] = [];
    let cursor: string | undefined;
    do {
      const page = await listMembers(filter, cursor);
      members.push(...page.items);
      cursor = page.next ?? undefined;
    } while (cursor && members.length < MAX_EXPORTED);
    await saveFile(toCsvFile('heartward-members.csv', toCsv(exported, members)), () => {
      if (cursor)
        toast({ title: `Saved the first ${members.length} members`, description: 'Filter for fewer.' });
    });
  });

  return (
    <Button busy={isBusy} onClick={save} size="sm" variant="secondary">
      Save as CSV
    </Button>
  );
}
