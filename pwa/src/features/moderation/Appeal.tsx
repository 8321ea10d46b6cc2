import type { ReactNode } from 'react';
import type { Standing } from '@/api/types.ts';
import { formatDate } from '@/base/format.ts';

import { ModeratorForm } from './ModeratorForm.tsx';
import { sendAppeal } from './standing.ts';

/** The words of a moderator or of the member. */
export const Quote = ({ children }: { children: ReactNode }) => (
  <blockquote className="mt-2 whitespace-pre-wrap break-words border-ember border-s-4 ps-4" dir="auto">
    {children}
  </blockquote>
);

/** The form of the one appeal against a decision. */
export const NewAppeal = ({ sanctionId }: { sanctionId: string }) => (
  <>
    <p className="mt-1 text-muted">
      You can appeal once. A moderator reads what you write, looks at the decision again, and emails you the
      outcome.
    </p>
    <ModeratorForm
      button="Send appeal"
      hint="Tell us what we should know. You can send one appeal."
      label="Your appeal"
      missing="Please tell us why you think this is wrong."
      onSend={(text) => sendAppeal(sanctionId, text)}
    />
  </>
);

/** An appeal that was sent, and its outcome. */
export function SentAppeal({ appeal }: { appeal: NonNullable<Standing['appeal']> }) {
  const verdict =
    appeal.outcome === 'lifted' ? 'We have taken the decision back:' : 'The decision stays as it is:';
  return (
    <div role="status">
      <p className="mt-1 text-muted">
        You appealed on {formatDate(appeal.createdAt)}.{' '}
        {appeal.outcome
          ? `On ${formatDate(appeal.decidedAt ?? '')} we looked at it again. ${verdict}`
          : "We'll email you the outcome, and show it here."}
      </p>
      {appeal.outcome && <Quote>{appeal.explanation}</Quote>}
      {appeal.sameModerator && (
        <p className="mt-2 text-muted text-sm">
          The moderator who made the first decision also made this one, because there is no one else on our
          team who could.
        </p>
      )}
    </div>
  );
}
