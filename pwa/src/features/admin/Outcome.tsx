import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type AdminTab, adminPath } from '@/session/adminPaths.ts';
import { ButtonLink } from '@/ui';
import { refreshQueue } from './adminRequests.ts';
import { useOpenEntry } from './queueContext.ts';

type OutcomeProps = {
  tab: AdminTab;
  title: string;
  children: ReactNode;
  /** The next entry of the list, if there is one. */
  nextId?: string;
};

/** Shows the decision that was just stored. The link to the next entry has the focus; in the queue that is opened. */
export function Outcome({ tab, title, children, nextId }: OutcomeProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const entry = useOpenEntry();
  const navigate = useNavigate();
  // The row leaves the list with the decision, and with it the next one.
  const [next] = useState(entry?.next);
  const goOn = useEffectEvent(() => {
    link.current?.focus();
    void refreshQueue('queue');
    entry?.onDecided();
    if (entry && next) void navigate(next, { replace: true });
  });
  useEffect(() => goOn(), []);
  const to = entry ? (next ?? adminPath('queue')) : adminPath(tab, nextId);
  return (
    <section aria-label="Outcome" className="card flex flex-col gap-3 p-5">
      <h3 className="font-semibold text-lg">{title}</h3>
      {children}
      <ButtonLink className="self-start" ref={link} to={to} viewTransition={false}>
        {(entry ? next : nextId) ? 'Next' : 'Back to the list'}
      </ButtonLink>
    </section>
  );
}
