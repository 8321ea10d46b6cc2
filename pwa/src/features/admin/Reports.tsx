import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { QueuedReport } from '@/api/types.ts';
import { Badge, RelativeTime, Select, type Tone } from '@/ui';
import { describeDue, describeMember, describeReport } from './adminLabels.ts';
import {
  decideEach,
  decideReport,
  type ReportFilter,
  refreshQueue,
  reportCountsQuery,
  useReports,
} from './adminRequests.ts';
import { type BulkChoice, BulkDecision } from './BulkDecision.tsx';
import { ReportEntry } from './ReportEntry.tsx';
import { Queue, QueueRow, Split } from './Split.tsx';
import { RowBox, useQueueRows } from './selection.tsx';

const priorityTones: Tone[] = ['danger', 'marigold', 'neutral'];

const noneOpen = {
  title: 'No open reports',
  text: 'New reports appear here. Urgent ones are emailed to you too.',
};
const noneDecided = { title: 'No such reports', text: 'Decided reports appear here.' };

/** The reports of a status, pending ones first by urgency, and the open one. */
export function Reports({ id }: { id?: string }) {
  const [status, setStatus] = useState<ReportFilter>('pending');
  const query = useReports(status);
  const rows = query.data ?? [];
  const { open, nextId, rowOf, selected, toggle, clear } = useQueueRows(rows, id, canDismiss);
  return (
    <Split
      entry={id ? <ReportEntry id={id} key={id} nextId={nextId} queued={open} /> : null}
      hint="Choose a report. Its contents are shown after you say why you open it."
      list={
        <>
          <StatusFilter onChange={setStatus} status={status} />
          <BulkDecision
            choices={reportChoices}
            decide={(ids, decision, reason) =>
              decideEach(ids, (reportId) => decideReport(reportId, { decision, reason }))
            }
            ids={selected}
            nameOf={(reportId) => describeMember(rowOf(reportId)?.reportedUser ?? null)}
            noun={{ one: 'report', many: 'reports' }}
            onClear={clear}
            onSent={() => void refreshQueue('reports')}
          />
          <Queue
            empty={status === 'pending' || status === 'underage' ? noneOpen : noneDecided}
            label={statusLabels[status]}
            query={query}
          >
            {(row) => (
              <li className="flex items-start" key={row.id}>
                {row.status === 'pending' && (
                  <RowBox
                    checked={selected.includes(row.id)}
                    disabled={!canDismiss(row)}
                    label={`Select the report about ${describeMember(row.reportedUser)}`}
                    onToggle={() => toggle(row.id)}
                  />
                )}
                <QueueRow id={row.id} open={row.id === id} tab="reports">
                  <ReportSummary report={row} />
                </QueueRow>
              </li>
            )}
          </Queue>
        </>
      }
      tab="reports"
    />
  );
}

/** A report is dismissed by a moderator who has read it, also with others at once. */
const canDismiss = (report: QueuedReport): boolean => report.status === 'pending' && report.openedAt !== null;

export const reportChoices: BulkChoice<'no_action'>[] = [
  {
    value: 'no_action',
    label: 'Dismiss',
    key: 'd',
    done: 'Dismissed',
    description: 'No action follows. Profiles that the reports have hidden are shown again.',
    hint: 'For the audit log. No member sees it.',
  },
];

const statusLabels: Record<ReportFilter, string> = {
  pending: 'Open',
  underage: 'Open, may be under 18',
  reviewed: 'Without a suspension',
  resolved: 'With a suspension',
};

type StatusFilterProps = { status: ReportFilter; onChange: (status: ReportFilter) => void };

/** Chooses the status of the reports in the list. */
function StatusFilter({ status, onChange }: StatusFilterProps) {
  const counts = useQuery(reportCountsQuery).data;
  return (
    <div className="mb-3">
      <Select
        hint={counts && counts.overdue > 0 ? `${counts.overdue} overdue` : undefined}
        label="Status"
        onChange={({ target }) => onChange(target.value as ReportFilter)}
        value={status}
      >
        {(Object.keys(statusLabels) as ReportFilter[]).map((value) => (
          <option key={value} value={value}>
            {statusLabels[value]}
            {counts && ` (${counts[value]})`}
          </option>
        ))}
      </Select>
    </div>
  );
}

function ReportSummary({ report }: { report: QueuedReport }) {
  const due = describeDue(report.dueAt);
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={priorityTones[report.priority]}>P{report.priority}</Badge>
        <span className="font-semibold">{describeReport(report)}</span>
        <RelativeTime className="ms-auto text-muted text-xs" value={report.createdAt} />
      </span>
      <span dir="auto">{describeMember(report.reportedUser)}</span>
      <span className="flex flex-wrap gap-x-3 text-muted text-xs">
        {report.status === 'pending' && (
          <>
            <span className={due.isOverdue ? 'font-semibold text-danger' : undefined}>{due.text}</span>
            <span>{report.openedAt ? 'Opened' : 'Not opened yet'}</span>
            {report.hidesProfile && <span>Profile is hidden</span>}
          </>
        )}
        {report.overLimit && <span>Over the reporter's daily limit</span>}
      </span>
    </>
  );
}
