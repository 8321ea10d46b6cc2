import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { describeLoadError } from '@/api/client.ts';
import type { ManagedMember, Sanction } from '@/api/types.ts';
import { formatDate } from '@/base/format.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { adminPath } from '@/session/adminPaths.ts';
import { useMember } from '@/session/session.ts';
import { Badge, ErrorState, RelativeTime, Skeleton } from '@/ui';
import { describeStatus, reasonLabels, sanctionLabels, statusTones } from './adminLabels.ts';
import { memberQuery } from './adminRequests.ts';
import { useKeys } from './queueKeys.ts';
import { StaffNotes } from './StaffNotes.tsx';
import { UserActions } from './UserActions.tsx';
import { UserSessions } from './UserSessions.tsx';

/** What an admin needs to know of a member: no messages, no profile. */
export function UserPage({ id }: { id: string }) {
  const query = useQuery(memberQuery(id));
  const failure = useFailure(query);
  const navigate = useNavigate();
  // Moderators have no list of members.
  const back = adminPath(useMember().isAdmin ? 'users' : 'reports');
  const goBack = () => void navigate(back);
  useKeys({ Escape: goBack });
  // Each stored decision begins another form.
  const [decisions, setDecisions] = useState(0);
  return (
    <div className="flex flex-col gap-4">
      <Link
        className="inline-flex min-h-11 items-center self-start font-semibold text-ember-strong"
        to={back}
      >
        Back to the list
      </Link>
      {failure && (
        <ErrorState
          onRetry={query.refetch}
          text={describeLoadError(failure)}
          title="The member could not be loaded"
        />
      )}
      {query.isPending && !failure && (
        <div aria-label="Loading the member" role="status">
          <Skeleton className="h-96 rounded-card" />
        </div>
      )}
      {query.data && (
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="flex min-w-0 flex-col gap-5">
            <Facts member={query.data} />
            <UserSessions member={query.data} />
            <Sanctions member={query.data} />
            <ReportsAbout member={query.data} />
            <StaffNotes of={{ kind: 'member', id }} />
          </div>
          <UserActions key={decisions} member={query.data} onDone={() => setDecisions(decisions + 1)} />
        </div>
      )}
    </div>
  );
}

function Facts({ member }: { member: ManagedMember }) {
  const facts: [string, ReactNode][] = [
    ['Email', member.email],
    ['Age', member.age],
    ['Town', [member.city, member.state].filter(Boolean).join(', ')],
    ['Joined', formatDate(member.createdAt)],
    ['Last active', <RelativeTime key="active" value={member.lastActiveAt} />],
    ['Verified', member.verifiedAt ? `Since ${formatDate(member.verifiedAt)}` : 'No'],
    ['Premium', member.premiumUntil ? `Until ${formatDate(member.premiumUntil)}` : 'No'],
    ['Featured', member.isFeatured ? 'Yes' : 'No'],
    ['Deletion', member.deletionDueAt ? `On ${formatDate(member.deletionDueAt)}` : 'Not asked for'],
    ['Photos', member.photos],
    ['Matches', member.matches],
    ['Conversations', member.conversations],
    ['Warnings that count', member.activeWarnings],
    ['Reports about them', member.reportsAbout],
    ['Reports by them', `${member.reportsMade}, ${member.unfoundedReports} without consequences`],
    ['Messages flagged in 90 days', member.flaggedMessages],
    ['Blocked by', member.blockedBy],
  ];
  return (
    <section className="card p-5">
      <h2 className="flex flex-wrap items-center gap-3 font-display font-semibold text-xl" dir="auto">
        {member.fullName}
        <Badge tone={statusTones[member.profileStatus]}>{describeStatus(member)}</Badge>
        {member.isAdmin && <Badge tone="plum">Admin</Badge>}
        {member.isModerator && <Badge tone="plum">Moderator</Badge>}
      </h2>
      <dl className="mt-4 grid grid-cols-2 gap-x-6 gap-y-3 text-sm md:grid-cols-3 xl:grid-cols-4">
        {facts.map(([label, value]) => (
          <div className="min-w-0" key={label}>
            <dt className="text-muted text-xs">{label}</dt>
            <dd className="[overflow-wrap:anywhere]" dir="auto">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Sanctions({ member }: { member: ManagedMember }) {
  return (
    <section className="card p-5">
      <h3 className="font-semibold text-lg">Sanctions</h3>
      {member.sanctions.length === 0 && <p className="mt-2 text-muted text-sm">None.</p>}
      <ul className="divide-y divide-line text-sm">
        {member.sanctions.map((sanction) => (
          <li className="py-2" id={`sanction-${sanction.id}`} key={sanction.id}>
            <p>
              <span className="me-2 font-semibold">{sanctionLabels[sanction.kind]}</span>
              <SanctionState sanction={sanction} sanctions={member.sanctions} />
              {sanction.suspendedUntil && `until ${formatDate(sanction.suspendedUntil)}`}
              {`${sanction.suspendedUntil ? ', ' : ''}${formatDate(sanction.createdAt)}, by ${deciderOf(sanction)}`}
              {sanction.kind !== 'removal' &&
                sanction.parts.length > 0 &&
                ', with parts of the profile removed'}
              {sanction.reportId && ', after a report'}
              {sanction.messageId && ', for a message'}
            </p>
            {sanction.explanation && (
              <p className="whitespace-pre-wrap text-muted [overflow-wrap:anywhere]" dir="auto">
                {sanction.explanation}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether a sanction has an effect now, and its links to the decision that took it back, or to those that it takes back. */
function SanctionState({ sanction, sanctions }: { sanction: Sanction; sanctions: Sanction[] }) {
  const { kind, isActive, reversedBy, countsUntil } = sanction;
  if (kind === 'reversal' || kind === 'reinstatement')
    return sanctions
      .filter((other) => other.reversedBy === sanction.id)
      .map((other) => (
        <a className="me-2 underline" href={`#sanction-${other.id}`} key={other.id}>
          of the {sanctionLabels[other.kind].toLowerCase()} of {formatDate(other.createdAt)}
        </a>
      ));
  if (reversedBy)
    return (
      <a className="me-2 underline" href={`#sanction-${reversedBy}`}>
        taken back
      </a>
    );
  if (isActive)
    return (
      <Badge className="me-2" tone="marigold">
        {countsUntil ? `Counts until ${formatDate(countsUntil)}` : 'In force'}
      </Badge>
    );
  return <Badge className="me-2">{countsUntil ? 'No longer counts' : 'Ended'}</Badge>;
}

function ReportsAbout({ member }: { member: ManagedMember }) {
  return (
    <section className="card p-5">
      <h3 className="font-semibold text-lg">Reports about them</h3>
      {member.reports.length === 0 && <p className="mt-2 text-muted text-sm">None.</p>}
      <ul className="divide-y divide-line text-sm">
        {member.reports.map((report) => (
          <li key={report.id}>
            <Link
              className="flex min-h-11 flex-wrap items-center gap-x-3 hover:bg-raised"
              to={adminPath('reports', report.id)}
            >
              <span className="font-semibold text-ember-strong">{reasonLabels[report.reason]}</span>
              <span className="text-muted">{formatDate(report.createdAt)}</span>
              <span className="text-muted">{report.status === 'pending' ? 'Open' : 'Decided'}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns who decided on a sanction. Of those without an admin's decision, only the check of pictures names a report. */
function deciderOf({ decidedBy, kind, reportId }: Sanction): string {
  if (decidedBy) return decidedBy;
  return kind === 'review' && reportId ? 'the automatic check of pictures' : 'a deleted account';
}
