import { Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useMember } from '@/app/session.ts';
import { Avatar, Button, Screen, Tabs } from '@/ui';
import { Overview } from './Overview.tsx';
import { ProfileEditor } from './ProfileEditor.tsx';
import { Settings } from './Settings.tsx';

type Tab = 'overview' | 'activity' | 'referrals' | 'settings';

/** What other features show here; a tab without content is left out. */
type ProfileScreenProps = {
  activity?: ReactNode;
  referrals?: ReactNode;
  /** The switch for this device's notifications. */
  notifications: ReactNode;
};

/** /profile: the member's own page. */
export default function ProfileScreen({ activity, referrals, notifications }: ProfileScreenProps) {
  const me = useMember();
  const [tab, setTab] = useState<Tab>('overview');
  const [editing, setEditing] = useState(false);
  const edit = () => setEditing(true);
  return (
    <Screen title="Profile" width="reading">
      <section className="mb-6 flex flex-wrap items-center gap-4">
        <Avatar size="lg" user={me} />
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-display font-semibold text-xl">{me.fullName || 'Your Profile'}</h2>
          <p className="text-muted">Welcome back to Heartward</p>
        </div>
        <Button className="w-full sm:w-auto" onClick={edit} variant="secondary">
          <Pencil aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          Edit Profile
        </Button>
      </section>
      <Tabs
        label="Your profile"
        onChange={setTab}
        tabs={[
          { value: 'overview', label: 'Overview', content: <Overview me={me} onEdit={edit} /> },
          ...(activity ? [{ value: 'activity' as const, label: 'Activity', content: activity }] : []),
          ...(referrals ? [{ value: 'referrals' as const, label: 'Referrals', content: referrals }] : []),
          {
            value: 'settings',
            label: 'Settings',
            content: <Settings me={me} notifications={notifications} />,
          },
        ]}
        value={tab}
      />
      {editing && <ProfileEditor me={me} onClose={() => setEditing(false)} />}
    </Screen>
  );
}
