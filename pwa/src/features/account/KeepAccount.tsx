import { api, unwrap } from '@/api/client.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { useOnline } from '@/offline/device/online.ts';
import { refreshMe } from '@/session/session.ts';
import { Button, toast, useAction } from '@/ui';
import { useProof } from './useProof.tsx';

async function keepAccount(): Promise<void> {
  await unwrap(api.DELETE('/api/users/me/deletion'));
  toast({ title: 'Welcome back!', description: 'Your account stays.' });
  await refreshMe();
}

/** Offers to keep an account that is going to be deleted at `dueAt`. */
export function KeepAccount({ dueAt }: { dueAt: string }) {
  const online = useOnline();
  const { withProof, dialog } = useProof();
  const [keep, { isBusy }] = useAction(() => withProof(keepAccount));
  return (
    <section className="card flex flex-col gap-4 p-5">
      <h1 className="font-display font-semibold text-2xl" tabIndex={-1}>
        Would you like to stay?
      </h1>
      <p>
        You asked us to delete this account. We will delete it on {formatDate(dueAt)}, {formatTime(dueAt)}.
        Until then you are hidden from everyone.
      </p>
      <p className="text-muted">
        If you keep it, your profile, matches and conversations are as you left them. If not, there is nothing
        to do: get your data below if you want it, and sign out.
      </p>
      <Button block busy={isBusy} disabled={!online} onClick={keep} size="lg">
        Keep my account
      </Button>
      {dialog}
    </section>
  );
}
