import { type ReactNode, useState } from 'react';
import type { OpenedReport, QueuedReport, ReportDecision } from '@/api/types.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { Badge, Button, useAction } from '@/ui';
import { AnswerForm } from './AnswerForm.tsx';
import { decisionLabels, describeDue, describeReport, placeLabels } from './adminLabels.ts';
import { askAge, decideReport, openReport, refreshQueue } from './adminRequests.ts';
import { DecisionForm } from './DecisionForm.tsx';
import { MemberLink } from './MemberLink.tsx';
import { OpenForm } from './OpenForm.tsx';
import { Outcome } from './Outcome.tsx';
import { useClaim } from './queueRequests.ts';
import { ReportEvidence } from './ReportEvidence.tsx';
import { StaffNotes } from './StaffNotes.tsx';

type ReportEntryProps = { id: string; queued?: QueuedReport; nextId?: string };

/** A report. Its contents are shown after a reason is given, and the outcome after the decision. */
export function ReportEntry({ id, queued, nextId }: ReportEntryProps) {
  const [opened, setOpened] = useState<OpenedReport>();
  const [decision, setDecision] = useState<ReportDecision>();
  // The row leaves the list with the decision, and with it the next one.
  const [next] = useState(nextId);
  const report = opened ?? queued;
  useClaim('report', id, opened);

  async function open(reason: string) {
    setOpened(await openReport(id, reason));
    void refreshQueue('reports');
  }

  async function decide(body: ReportDecision) {
    await decideReport(id, body);
    setDecision(body);
    void refreshQueue('reports');
  }

  return (
    <article aria-label="Report" className="flex flex-col gap-5">
      <section className="card flex flex-col gap-4 p-5">
        <h2 className="font-display font-semibold text-xl">{report ? describeReport(report) : 'A report'}</h2>
        {report && (
          <Facts isPending={report.status === 'pending' && !decision} opened={opened} report={report} />
        )}
        {!opened && <OpenForm label="Open report" onOpen={open} />}
      </section>
      {decision ? (
        <Outcome
          nextId={next}
          tab="reports"
          title={
            decisionLabels[decision.decision] +
            (decision.suspendedUntil ? ` until ${formatDate(decision.suspendedUntil)}` : '') +
            (decision.parts && decision.decision !== 'remove' ? ', and parts removed' : '')
          }
        >
          <p>{describeOutcome(decision, opened)}</p>
          {decision.explanation && <blockquote className="text-muted">{decision.explanation}</blockquote>}
        </Outcome>
      ) : (
        opened && <Contents decide={decide} report={opened} />
      )}
      {opened && <StaffNotes of={{ kind: 'report', id }} />}
    </article>
  );
}

type ContentsProps = {
  report: OpenedReport;
  decide: (body: ReportDecision) => Promise<void>;
};

function Contents({ report, decide }: ContentsProps) {
  if (report.status !== 'pending') return <Decided report={report} />;
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <ReportEvidence report={report} />
      <div className="xl:sticky xl:top-20">
        {report.source === 'issue' ? (
          <AnswerForm canMail={canMailAnswer(report)} onDecide={decide} />
        ) : (
          <>
            {report.reason === 'underage' && report.hidesProfile && <AgeCheck report={report} />}
            <DecisionForm onDecide={decide} report={report} />
          </>
        )}
      </div>
    </div>
  );
}

/** Asks a hidden member to show the age, before the decision. */
function AgeCheck({ report: { id, ageAskedAt } }: { report: OpenedReport }) {
  const [isAsked, setAsked] = useState(ageAskedAt !== null);
  const [submit, { isBusy }] = useAction(async () => {
    await askAge(id, 'A report about the age');
    setAsked(true);
  });
  return (
    <section className="card mb-4 p-5">
      <h3 className="font-semibold text-lg">Age</h3>
      {isAsked ? (
        <p className="mt-2" role="status">
          The member was asked to show the age. They write to the contact address.
        </p>
      ) : (
        <>
          <p className="mt-2 text-muted text-sm">
            The member gets an email. The profile stays hidden, and the report open, until you decide.
          </p>
          <Button busy={isBusy} className="mt-3" onClick={submit} size="sm" variant="secondary">
            Ask to show the age
          </Button>
        </>
      )}
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-xs">{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

type FactsProps = { report: QueuedReport; opened?: OpenedReport; isPending: boolean };

function Facts({ report, opened, isPending }: FactsProps) {
  const due = describeDue(report.dueAt);
  const arrived = new Date(report.createdAt);
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2 xl:grid-cols-4">
      <Fact label="About">
        {report.source === 'issue' ? 'No member' : <MemberLink member={report.reportedUser} />}
        {report.hidesProfile && isPending && (
          <Badge className="ms-2" tone="plum">
            Hidden
          </Badge>
        )}
      </Fact>
      {opened?.isDeparted && (
        <Fact label="The account">
          Deleted before the decision. A ban still keeps its address and photos out for two years.
        </Fact>
      )}
      <Fact label="From">
        {report.source === 'pictures' && 'The automatic check of pictures'}
        {report.source === 'ban' && 'The comparison with photos of banned members'}
        {report.source === 'block' && 'The comparison with photos of blocked members'}
        {report.source === 'member' && <MemberLink member={report.reporter} />}
        {report.source === 'issue' &&
          (report.reporter ? (
            <MemberLink member={report.reporter} />
          ) : (
            (opened?.reporterAddress ?? 'A visitor')
          ))}
      </Fact>
      <Fact label="Arrived">
        {formatDate(arrived)}, {formatTime(arrived)}, from {placeLabels[report.place]}
      </Fact>
      <Fact label="Priority">
        P{report.priority}
        {isPending && (
          <span className={due.isOverdue ? 'font-semibold text-danger' : undefined}>, {due.text}</span>
        )}
      </Fact>
      {opened && opened.source !== 'issue' && (
        <Fact label="Others who reported this member">{opened.otherReports}</Fact>
      )}
      {opened?.source === 'member' && (
        <Fact label="Reports of the reporter without consequences">{opened.unfounded}</Fact>
      )}
    </dl>
  );
}

/** The stored decision of a report that was decided before. */
function Decided({ report }: { report: OpenedReport }) {
  return (
    <section className="card p-5">
      <h3 className="font-semibold text-lg">
        {report.actionTaken ? decisionLabels[report.actionTaken] : 'Decided'}
        {report.reviewedAt && ` on ${formatDate(report.reviewedAt)}`}
      </h3>
      {report.suspendedUntil && <p>Until {formatDate(report.suspendedUntil)}.</p>}
      {report.explanation && <p className="mt-2 whitespace-pre-wrap">{report.explanation}</p>}
      <p className="mt-2 text-muted text-sm">The contents are no longer shown after the decision.</p>
    </section>
  );
}

const canMailAnswer = (issue: OpenedReport) => issue.reporter !== null || issue.reporterAddress !== null;

/** Returns what follows from a decision. */
function describeOutcome({ decision }: ReportDecision, report?: OpenedReport): string {
  if (report?.source === 'issue')
    return canMailAnswer(report)
      ? 'The reporter gets an email with your answer.'
      : 'There is no address for an answer.';
  if (report?.source === 'block' && decision === 'no_action')
    return 'The member is shown again to those who blocked the other account. Nobody is told.';
  if (decision === 'keep_apart')
    return 'The member stays hidden from those who blocked the other account. Nobody is told.';
  const toReporter = report?.reporter ? 'The reporter gets an email with the outcome. ' : '';
  if (decision !== 'no_action' && report?.isDeparted)
    return `${toReporter}The address and the photos of the deleted account are banned.`;
  if (decision !== 'no_action')
    return `${toReporter}The reported member gets an email with your explanation.`;
  return (
    toReporter + (report?.hidesProfile ? 'The review of the profile ends with an email to its member.' : '')
  );
}
