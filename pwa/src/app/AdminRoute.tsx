import { Navigate, useLocation, useParams } from 'react-router';
import { useProof } from '@/features/account/useProof.tsx';
import { Dashboard } from '@/features/admin/Dashboard.tsx';
import { type AdminTab, adminPath, adminTabs, entryTabs, moderatorTabs } from '@/session/adminPaths.ts';
import { useFactors } from '@/session/factors.ts';
import { adminLoginPath } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import { Loading } from './Loading.tsx';
import NotFoundScreen from './NotFoundScreen.tsx';

const isTab = (value: string): value is AdminTab => adminTabs.includes(value as AdminTab);

/**
 * /admin/dashboard: the screens of admins and moderators. The server refuses their requests to everyone else, and to those
 * whose session has not proved the second factor, who are led to /admin/login.
 */
export default function AdminRoute() {
  const { tab, id } = useParams();
  const { isAdmin, isModerator } = useMember();
  const isStaff = isAdmin || isModerator;
  const tabs = isAdmin ? adminTabs : moderatorTabs;
  const { withProof, dialog } = useProof();
  const { pathname, search } = useLocation();
  const factors = useFactors(isStaff);
  if (isStaff && !tab) return <Navigate replace to={adminPath(tabs[0] ?? 'reports')} />;
  if (!isStaff || !tab || !isTab(tab) || (id && !entryTabs.includes(tab))) return <NotFoundScreen />;
  // A moderator sees members one at a time, coming from a report, a message or a selfie.
  if (!tabs.includes(tab) && !(tab === 'users' && id)) return <NotFoundScreen />;
  if (factors.isPending) return <Loading />;
  const state = factors.data?.adminSession;
  if (state === 'unproved' || state === 'setup')
    return <Navigate replace to={adminLoginPath(pathname + search)} />;
  return (
    <>
      <Dashboard id={id} key={tab} shown={tabs} tab={tab} withProof={withProof} />
      {dialog}
    </>
  );
}
