import { Link } from 'react-router';
import { paths } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import { Button, useAction, useRootMark } from '@/ui';
import { checkAddress, useMailProblem } from './problem.ts';

/** Says that the member's address takes no mail, and why, with a check of the address and the way to change it. */
export default function MailBanner() {
  const problem = useMailProblem();
  const { email } = useMember();
  const [check, { isBusy }] = useAction(checkAddress);
  useRootMark('banners');
  if (!problem) return problem === undefined ? <div className="h-14" /> : null;
  const isFull = problem.reason === 'mailbox_full';
  return (
    <aside aria-label="Your email" className="mb-3 rounded-control bg-plum-soft px-4 py-3 text-plum">
      <p className="text-sm leading-snug">
        {isFull ? 'The mailbox of ' : 'Our emails don’t reach '}
        <bdi className="wrap-anywhere font-semibold">{email}</bdi>
        {isFull ? ' is full, so your weekly digest waits.' : '. You’ll need them to sign in again.'}
      </p>
      {problem.answer && (
        <p className="mt-1 text-sm leading-snug">
          Its mail server says: <q className="wrap-anywhere">{problem.answer}</q>
        </p>
      )}
      <div className="mt-1 flex flex-wrap items-center gap-x-4">
        {problem.isChecking ? (
          <p className="py-3 text-sm" role="status">
            We’re sending you an email to check…
          </p>
        ) : (
          <Button busy={isBusy} className="-ms-4" onClick={check} size="sm" variant="ghost">
            Check again
          </Button>
        )}
        <Link
          className="inline-flex min-h-11 items-center font-semibold text-sm"
          to={paths.profileTab('settings')}
        >
          Change address
        </Link>
      </div>
    </aside>
  );
}
