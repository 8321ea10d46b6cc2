import type { ReactNode } from 'react';
import type { EvidenceFile, OpenedReport } from '@/api/types.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { reasonLabels, slotLabels } from './adminLabels.ts';
import { EvidenceFiles } from './EvidenceFiles.tsx';

type Evidence = NonNullable<OpenedReport['evidence']>;

type ReportEvidenceProps = { report: OpenedReport };

/** The contents of a report: the description and the copies that were stored with it. */
export function ReportEvidence({ report }: ReportEvidenceProps) {
  const { evidence, files } = report;
  const profileFiles = files.filter(({ messageId }) => messageId === null);
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Descriptions report={report} />
      {report.statement && (
        <Section title="What the reported member says">
          <Words>{report.statement.text}</Words>
        </Section>
      )}
      {evidence?.content && (
        <Section
          title={`${report.place === 'post' ? 'The post' : 'The comment, on'} “${evidence.content.title}”`}
        >
          <Words>{evidence.content.text}</Words>
        </Section>
      )}
      {evidence && <Profile profile={evidence.profile} />}
      {profileFiles.length > 0 && (
        <Section
          title={report.place === 'post' ? 'Picture of the post' : 'Pictures and recordings of the profile'}
        >
          <EvidenceFiles files={profileFiles.map(withLabel)} />
        </Section>
      )}
      {evidence?.like && (
        <Section title="Their like to the reporter">
          <p dir="auto">{evidence.like.comment || 'A like without a comment.'}</p>
        </Section>
      )}
      {evidence && <Messages evidence={evidence} files={files} report={report} />}
      {report.additions.map(
        (added) =>
          added.evidence &&
          !isSameEvidence(added.evidence, evidence) && (
            <Section key={added.createdAt} title={`As of ${formatDate(added.createdAt)}`}>
              <div className="flex flex-col gap-5">
                <Profile profile={added.evidence.profile} />
                <Messages evidence={added.evidence} files={files} report={report} />
              </div>
            </Section>
          ),
      )}
    </div>
  );
}

/** A text as it was written. */
const Words = ({ children }: { children: string }) => (
  <p className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
    {children}
  </p>
);

/** What the report says, with what was added to it later. */
function Descriptions({ report }: ReportEvidenceProps) {
  return (
    <Section title={isByProgram(report) ? 'What was found' : 'What the reporter wrote'}>
      <Words>{report.description || 'No description.'}</Words>
      {report.additions.map((added) => (
        <div className="mt-3 border-line border-t pt-3" key={added.createdAt}>
          <p className="text-muted text-xs">
            Added on {formatDate(added.createdAt)}, {formatTime(added.createdAt)}:{' '}
            {reasonLabels[added.reason]}
          </p>
          <Words>{added.description || 'No description.'}</Words>
        </div>
      ))}
    </Section>
  );
}

/** Whether a check of pictures or a comparison of photos made the report. */
const isByProgram = ({ source }: OpenedReport) => source !== 'member' && source !== 'issue';

/** Whether nothing has changed between two copies but the time. */
const isSameEvidence = (a: Evidence, b: Evidence | null) =>
  JSON.stringify({ ...a, profile: { ...a.profile, takenAt: '' } }) ===
  JSON.stringify(b && { ...b, profile: { ...b.profile, takenAt: '' } });

const withLabel = (file: EvidenceFile) => ({
  ...file,
  label: file.slot ? slotLabels[file.slot] : 'File of a message',
});

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card min-w-0 p-5">
      <h3 className="mb-3 font-semibold text-lg">{title}</h3>
      {children}
    </section>
  );
}

function Profile({ profile }: { profile: Evidence['profile'] }) {
  const facts: [string, string][] = [
    ['Name', profile.fullName],
    ['Age', String(profile.age)],
    ['Town', [profile.city, profile.state].filter(Boolean).join(', ')],
    ['Work', profile.occupation],
    ['Looking for', profile.intentionTags.join(', ')],
    ['Bio', profile.bio],
    ['What love means to them', profile.loveReflection],
    ...profile.prompts.map(({ question, answer }): [string, string] => [question, answer || 'A recording']),
  ];
  return (
    <Section title="Profile at the time of the report">
      <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div className="sm:contents" key={label}>
              <dt className="text-muted">{label}</dt>
              <dd className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
                {value}
              </dd>
            </div>
          ))}
      </dl>
    </Section>
  );
}

type MessagesProps = { report: OpenedReport; evidence: Evidence; files: EvidenceFile[] };

function Messages({ report, evidence, files }: MessagesProps) {
  if (evidence.messages.length === 0) return null;
  const reported = evidence.profile.id;
  return (
    <Section title="Their last messages">
      <ol className="flex flex-col gap-3 text-sm">
        {evidence.messages.map((message) => {
          const attached = files.filter(({ messageId }) => messageId === message.id).map(withLabel);
          const isReported = message.senderId === reported;
          return (
            <li className={isReported ? 'border-danger border-s-2 ps-3' : 'ps-3.5'} key={message.id}>
              <p className="text-muted text-xs">
                {isReported ? evidence.profile.firstName : (report.reporter?.firstName ?? 'Reporter')}
                {', '}
                {formatDate(message.sentAt)}, {formatTime(message.sentAt)}
              </p>
              <Words>{message.content || (attached.length === 0 ? `(${message.type})` : '')}</Words>
              {attached.length > 0 && <EvidenceFiles files={attached} />}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
