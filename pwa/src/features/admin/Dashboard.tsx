import { type ReactNode, useEffect, useRef, useState } from 'react';
import { NavLink } from 'react-router';
import { useOnline } from '@/offline/device/online.ts';
import { type AdminTab, adminPath } from '@/session/adminPaths.ts';
import { Button, cn, useRootMark } from '@/ui';
import { Settings } from './AdminSettings.tsx';
import { Appeals } from './Appeals.tsx';
import { AuditLog } from './AuditLog.tsx';
import { Community } from './Community.tsx';
import { Figures } from './Figures.tsx';
import { Graduations } from './Graduations.tsx';
import { KeysDialog } from './KeysDialog.tsx';
import { Messages } from './Messages.tsx';
import { Profiles } from './Profiles.tsx';
import { ProofContext, type WithProof } from './proof.ts';
import { moveToRow, useKeys } from './queueKeys.ts';
import { queueTotal, useQueueCounts } from './queueRequests.ts';
import { Reports } from './Reports.tsx';
import { ReviewQueue } from './ReviewQueue.tsx';
import { Users } from './Users.tsx';
import { Verifications } from './Verifications.tsx';

type Content = (props: { id?: string }) => ReactNode;

const tabs: Record<AdminTab, { label: string; Content: Content }> = {
  queue: { label: 'Queue', Content: ReviewQueue },
  users: { label: 'Users', Content: Users },
  reports: { label: 'Reports', Content: Reports },
  appeals: { label: 'Appeals', Content: Appeals },
  messages: { label: 'Messages', Content: Messages },
  verifications: { label: 'Verifications', Content: Verifications },
  profiles: { label: 'Profiles', Content: Profiles },
  graduations: { label: 'Graduations', Content: Graduations },
  community: { label: 'Community', Content: Community },
  audit: { label: 'Audit log', Content: AuditLog },
  figures: { label: 'Figures', Content: Figures },
  settings: { label: 'Settings', Content: Settings },
};

type DashboardProps = {
  /** The tabs that the member's role may use. */
  shown: readonly AdminTab[];
  tab: AdminTab;
  /** The open entry of the tab's list. */
  id?: string;
  /** Runs a decision, for which the server may require a proof. */
  withProof: WithProof;
};

/** The screens of admins and moderators: tabs with addresses of their own, each with a list and its open entry. */
export function Dashboard({ shown, tab, id, withProof }: DashboardProps) {
  const [keysShown, setKeysShown] = useState(false);
  const online = useOnline();
  const { label, Content } = tabs[tab];
  // Hides the app's own strip, which promises to send later.
  useRootMark('admin');
  useEffect(() => {
    document.title = `${label} · Admin · Heartward`;
  }, [label]);
  useKeys({ '?': () => setKeysShown(true), j: () => moveToRow(1), k: () => moveToRow(-1) });

  return (
    <>
      <header className="border-line border-b bg-paper pt-safe">
        <div className="mx-auto flex max-w-[1600px] flex-wrap items-center gap-x-6 gap-y-1 px-safe py-2">
          <h1 className="font-display font-semibold text-2xl" tabIndex={-1}>
            {label}
          </h1>
          <TabLinks shown={shown} tab={tab} />
          <Button
            aria-haspopup="dialog"
            className="max-lg:ms-auto"
            onClick={() => setKeysShown(true)}
            size="sm"
            variant="ghost"
          >
            Keys
          </Button>
        </div>
      </header>
      <div aria-live="polite">
        {!online && (
          <p className="bg-plum-soft px-safe py-2 text-center text-plum text-sm">
            You're offline. Nothing is loaded, and no decision is sent, until you're connected again.
          </p>
        )}
      </div>
      <main className="mx-auto w-full max-w-[1600px] px-safe py-4" id="main" tabIndex={-1}>
        <ProofContext value={withProof}>
          <Content id={id} />
        </ProofContext>
      </main>
      {keysShown && <KeysDialog onClose={() => setKeysShown(false)} />}
    </>
  );
}

/** Returns a ref for the row of tabs, which is scrolled on a narrow screen so that the open tab is in its middle. */
function useTabRow(tab: AdminTab) {
  const row = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the open tab is read from the document
  useEffect(() => {
    const isScrolled = row.current && row.current.scrollWidth > row.current.clientWidth;
    const open = isScrolled && row.current?.querySelector('[aria-current]');
    if (open) open.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [tab]);
  return row;
}

/** The links to the tabs; that of the queue has the number of entries that wait. */
function TabLinks({ shown, tab }: { shown: readonly AdminTab[]; tab: AdminTab }) {
  const row = useTabRow(tab);
  const waiting = queueTotal(useQueueCounts().data);
  return (
    <nav
      aria-label="Admin"
      className="no-scrollbar -mx-1 flex gap-1 max-lg:order-last max-lg:basis-full max-lg:overflow-x-auto lg:flex-1 lg:flex-wrap"
      ref={row}
    >
      {shown.map((value) => (
        <NavLink
          className={({ isActive }) =>
            cn(
              'flex min-h-11 shrink-0 items-center rounded-control px-3 font-semibold text-sm -outline-offset-2 transition-colors',
              isActive ? 'bg-ember-soft text-ember-strong' : 'text-muted hover:bg-raised hover:text-ink',
            )
          }
          key={value}
          to={adminPath(value)}
        >
          {tabs[value].label}
          {value === 'queue' && waiting && (
            <span className="ms-1.5 rounded-full bg-raised px-2 text-muted text-xs">{waiting}</span>
          )}
        </NavLink>
      ))}
    </nav>
  );
}
