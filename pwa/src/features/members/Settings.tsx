import { Bell, EyeOff, Gift, Laptop, Mail, Palette, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import { describeError } from '@/api/errors.ts';
import type { Me, Session } from '@/api/types.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { queryClient } from '@/session/query.ts';
import { SignOutButton } from '@/session/SignOutButton.tsx';
import { Badge, Button, ButtonLink, ErrorState, RelativeTime, Skeleton, toast, toastError } from '@/ui';
import { deviceName, isHandheld } from './device.ts';
import { PasswordForm } from './PasswordForm.tsx';
import { revokeSession, sessionsKey, useSessions } from './requests.ts';

/** Links to the settings, the password, the devices and Sign Out. */
export function Settings({ me }: { me: Me }) {
  return (
    <div className="flex flex-col gap-4">
      <SettingsLinks />
      <section className="card p-5">
        <h2 className="font-display font-semibold text-lg">Password</h2>
        <p className="mt-1 mb-4 text-muted">
          {me.hasPassword
            ? 'You can sign in with your password or with a code by email.'
            : 'You sign in with a code by email. A password is optional.'}
        </p>
        <PasswordForm me={me} />
      </section>
      <Devices />
      <section className="card flex flex-wrap items-center justify-between gap-4 p-5">
        <div>
          <h2 className="font-display font-semibold text-lg">Account Actions</h2>
          <p className="mt-1 text-muted">Signing out removes your messages and photos from this device.</p>
        </div>
        <SignOutButton />
      </section>
    </div>
  );
}

const rows = [
  {
    icon: Bell,
    title: 'Notifications',
    text: 'What to notify you about, and when.',
    action: 'Configure',
    to: paths.settingsTab('notifications'),
  },
  {
    icon: Mail,
    title: 'Email Notifications',
    text: 'Which emails you get.',
    action: 'Configure',
    to: paths.emailSettings,
  },
  {
    icon: Palette,
    title: 'Appearance',
    text: 'Light, dark or taco.',
    action: 'Change',
    to: paths.settingsTab('appearance'),
  },
  {
    icon: EyeOff,
    title: 'Privacy Settings',
    text: 'Who sees you, and whom you have blocked.',
    action: 'Manage',
    to: paths.settingsTab('privacy'),
  },
  {
    icon: Gift,
    title: 'Premium Subscription',
    text: 'Free. You upgrade by inviting friends.',
    action: 'Upgrade',
    to: paths.perks,
  },
];

/** Links to the settings screens. */
function SettingsLinks() {
  return (
    <ul className="card divide-y divide-line px-5">
      {rows.map(({ icon: Icon, title, text, action, to }) => (
        <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4" key={title}>
          <Icon aria-hidden="true" className="size-5.5 shrink-0 text-ember" strokeWidth={1.75} />
          <div className="min-w-[min(100%,5.5rem)] flex-1">
            <h2 className="font-semibold">{title}</h2>
            <p className="text-muted text-sm">{text}</p>
          </div>
          <ButtonLink aria-label={`${action}: ${title}`} size="sm" to={to} variant="secondary">
            {action}
          </ButtonLink>
        </li>
      ))}
    </ul>
  );
}

function Devices() {
  const sessions = useSessions();
  const failure = useFailure(sessions);
  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">Your devices</h2>
      {sessions.isPending && !failure && <Skeleton className="mt-4 h-13" />}
      {failure && (
        <ErrorState
          onRetry={sessions.refetch}
          text={describeLoadError(failure)}
          title="Your devices could not be loaded"
        />
      )}
      <ul className="mt-2 divide-y divide-line">
        {sessions.data?.map((session) => (
          <Device key={session.id} session={session} />
        ))}
      </ul>
    </section>
  );
}

function Device({ session }: { session: Session }) {
  const [busy, setBusy] = useState(false);

  async function revoke() {
    setBusy(true);
    try {
      await revokeSession(session.id);
      toast({ title: 'Signed out', description: deviceName(session.userAgent) });
    } catch (failure) {
      toastError(describeError(failure));
    }
    await queryClient.invalidateQueries({ queryKey: sessionsKey });
    setBusy(false);
  }

  const Icon = isHandheld(session.userAgent) ? Smartphone : Laptop;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-muted" strokeWidth={1.75} />
      <div className="min-w-[min(100%,5.5rem)] flex-1">
        <p className="truncate font-medium">{deviceName(session.userAgent)}</p>
        <p className="text-muted text-sm">
          Active <RelativeTime inSentence value={session.lastSeenAt} />
        </p>
      </div>
      {session.current ? (
        <Badge tone="sage">This device</Badge>
      ) : (
        <Button
          aria-label={`Sign out this device: ${deviceName(session.userAgent)}`}
          busy={busy}
          className="shrink-0 whitespace-nowrap"
          onClick={revoke}
          size="sm"
          variant="secondary"
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
