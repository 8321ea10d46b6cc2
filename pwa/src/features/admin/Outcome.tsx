import { type ReactNode, useEffect, useRef } from 'react';
import { type AdminTab, adminPath } from '@/session/adminPaths.ts';
import { ButtonLink } from '@/ui';

type OutcomeProps = {
  tab: AdminTab;
  title: string;
  children: ReactNode;
  /** The next entry of the list, if there is one. */
  nextId?: string;
};

/** Shows the decision that was just stored. The link to the next entry has the focus. */
export function Outcome({ tab, title, children, nextId }: OutcomeProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.focus(), []);
  return (
    <section aria-label="Outcome" className="card flex flex-col gap-3 p-5">
      <h3 className="font-semibold text-lg">{title}</h3>
      {children}
      <ButtonLink className="self-start" ref={link} to={adminPath(tab, nextId)} viewTransition={false}>
        {nextId ? 'Next' : 'Back to the list'}
      </ButtonLink>
    </section>
  );
}
