import { Laptop, Moon, Smartphone, Sun, UtensilsCrossed } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ApiError } from '@/api/client.ts';
import type { Me, Session } from '@/api/types.ts';
import { queryClient } from '@/app/query.ts';
import { SignOutButton } from '@/app/SignOutButton.tsx';
import { nextTheme, setTheme, type Theme, useTheme } from '@/app/theme.ts';
import { Badge, Button, ErrorState, RelativeTime, Skeleton, toast } from '@/ui';
import { deviceName, isHandheld } from './device.ts';
import { PasswordForm } from './PasswordForm.tsx';
import { revokeSession, sessionsKey, useSessions } from './requests.ts';

/** Appearance, password, devices and the way out. */
export function Settings({ me, notifications }: { me: Me; notifications: ReactNode }) {
  return (
    <div className="flex flex-col gap-4">
      <Appearance />
      {notifications}
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

const themeWords: Record<Theme, { name: string; icon: typeof Sun }> = {
  light: { name: 'Light', icon: Sun },
  dark: { name: 'Dark', icon: Moon },
  taco: { name: 'Taco', icon: UtensilsCrossed },
};

function Appearance() {
  const theme = useTheme();
  const { name, icon: Icon } = themeWords[theme];
  const next = nextTheme(theme);
  return (
    <section className="card flex flex-wrap items-center justify-between gap-4 p-5">
      <div>
        <h2 className="font-display font-semibold text-lg">Appearance</h2>
        <p className="mt-1 flex items-center gap-2 text-muted">
          <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
          {name} theme
        </p>
      </div>
      <Button onClick={() => setTheme(next)} variant="secondary">
        Switch to {themeWords[next].name.toLowerCase()}
      </Button>
    </section>
  );
}

function Devices() {
  const sessions = useSessions();
  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">Your devices</h2>
      {sessions.isPending && <Skeleton className="mt-4 h-14" />}
      {sessions.isError && (
        <ErrorState onRetry={() => void sessions.refetch()} title="Your devices could not be loaded" />
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
      const description = failure instanceof ApiError ? failure.detail : 'Please try again.';
      toast({ title: 'Error', description, variant: 'destructive' });
    }
    await queryClient.invalidateQueries({ queryKey: sessionsKey });
    setBusy(false);
  }

  const Icon = isHandheld(session.userAgent) ? Smartphone : Laptop;
  return (
    <li className="flex items-center gap-3 py-3">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-muted" strokeWidth={1.75} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{deviceName(session.userAgent)}</p>
        <p className="text-muted text-sm">
          Active <RelativeTime value={session.lastSeenAt} />
        </p>
      </div>
      {session.current ? (
        <Badge tone="sage">This device</Badge>
      ) : (
        <Button busy={busy} onClick={revoke} size="sm" variant="secondary">
          Sign out this device
        </Button>
      )}
    </li>
  );
}
