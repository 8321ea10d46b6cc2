import {
  type ColumnDef,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/ui';

// The server filters, sorts and pages; the table draws one page.
const features = tableFeatures({ rowSortingFeature });

export type Column<Row extends object> = ColumnDef<typeof features, Row>;

type DataTableProps<Row extends object> = {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string;
  sorting?: SortingState;
  onSort?: (sorting: SortingState) => void;
  /** While other rows are being loaded. */
  busy: boolean;
};

const NO_SORTING: SortingState = [];

/** A dense table of one page of rows. */
export function DataTable<Row extends object>({
  label,
  columns,
  rows,
  rowId,
  sorting = NO_SORTING,
  onSort,
  busy,
}: DataTableProps<Row>) {
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: rowId,
    manualSorting: true,
    enableSortingRemoval: false,
    state: { sorting },
    onSortingChange: (change) => onSort?.(typeof change === 'function' ? change(sorting) : change),
  });
  return (
    <section
      aria-busy={busy}
      aria-label={label}
      className={cn('card overflow-x-auto', busy && 'loading-line')}
    >
      <table className="w-full border-collapse text-start text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr className="border-line border-b" key={group.id}>
              {group.headers.map((header) => (
                <HeaderCell column={header.column} key={header.id}>
                  <table.FlexRender header={header} />
                </HeaderCell>
              ))}
            </tr>
          ))}
        </thead>
        <tbody className="divide-y divide-line">
          {table.getRowModel().rows.map((row) => (
            <tr className="hover:bg-raised" key={row.id}>
              {row.getAllCells().map((cell) => (
                <td className="px-3 py-2 align-top" dir="auto" key={cell.id}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type HeaderCellProps = {
  column: {
    getIsSorted: () => false | 'asc' | 'desc';
    getCanSort: () => boolean;
    getToggleSortingHandler: () => undefined | ((event: unknown) => void);
  };
  children: ReactNode;
};

/** The title of a column; that of one by which rows can be sorted is a button. */
function HeaderCell({ column, children }: HeaderCellProps) {
  const sorted = column.getIsSorted();
  return (
    <th
      aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : undefined}
      className="whitespace-nowrap px-3 py-1 font-semibold text-muted text-xs"
      scope="col"
    >
      {column.getCanSort() ? (
        <button
          className="-mx-2 inline-flex min-h-11 items-center gap-1 rounded-control px-2 hover:text-ink"
          onClick={column.getToggleSortingHandler()}
          type="button"
        >
          {children}
          {sorted === 'asc' && <ArrowUp aria-hidden="true" className="size-4" />}
          {sorted === 'desc' && <ArrowDown aria-hidden="true" className="size-4" />}
        </button>
      ) : (
        children
      )}
    </th>
  );
}
