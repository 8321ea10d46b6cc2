import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Me } from '@/api/types.ts';
import { useSession } from '@/base/pageSession.ts';
import { DataExport } from '@/features/account/DataExport.tsx';
import { DeleteAccount } from '@/features/account/DeleteAccount.tsx';
import { KeepAccount } from '@/features/account/KeepAccount.tsx';
import { StandingCards } from '@/features/moderation/StandingCards.tsx';
import { standingQuery } from '@/features/moderation/standing.ts';
import { stopLive } from '@/live/liveSession.ts';
import { SignOutButton } from '@/session/SignOutButton.tsx';
import { refreshMe } from '@/session/session.ts';
import { Logo } from '@/ui';

/** Everything that a member can do who is suspended, under review or leaving. The app is shown again when that ends. */
export default function RestrictedScreen({ me }: { me: Me }) {
  useEffect(() => {
    document.title = 'Your account · Heartward';
  }, []);
  const session = useSession();
  useEffect(() => stopLive(session), [session]);

  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-xl flex-col gap-4 px-safe py-6" id="main">
      <header className="flex items-center justify-between gap-4">
        <p className="flex items-center gap-2 font-display font-semibold text-xl">
          <Logo className="size-8" />
          Heartward
        </p>
        <SignOutButton place="header" />
      </header>
      {me.deletionDueAt ? (
        <>
          <KeepAccount dueAt={me.deletionDueAt} />
          <DataExport />
        </>
      ) : (
        <Sanctioned me={me} />
      )}
    </main>
  );
}

function Sanctioned({ me }: { me: Me }) {
  const status = useQuery(standingQuery).data?.status;
  useEffect(() => {
    if (status && status !== me.profileStatus) void refreshMe();
  }, [status, me.profileStatus]);
  return (
    <>
      <StandingCards me={me} />
      <DataExport />
      <section className="card p-5">
        <h2 className="font-display font-semibold text-lg">Your account</h2>
        <div className="mt-3">
          <DeleteAccount />
        </div>
      </section>
    </>
  );
}
