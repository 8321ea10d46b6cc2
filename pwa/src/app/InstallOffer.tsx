import { Smartphone, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLive } from '@/offline/store/cached.ts';
import { Button, IconButton, Sheet } from '@/ui';
import { InstallSteps } from './InstallSteps.tsx';
import { askToInstall, mayOffer, noteOffered, putAway, readWorth, useWay, type Way } from './install.ts';

/** Below the matches and the conversations, once there is one: a place on the home screen, put away with one tap. */
export function InstallOffer() {
  const way = useWay();
  const worth = useLive(readWorth);
  const [open, setOpen] = useState(() => mayOffer());
  if (!way || !worth || !open) return null;
  const leave = () => {
    putAway();
    setOpen(false);
  };
  return <Offer onLeave={leave} way={way} />;
}

function Offer({ way, onLeave }: { way: NonNullable<Way>; onLeave: () => void }) {
  const [showing, setShowing] = useState(false);
  useEffect(() => noteOffered(), []);

  /** Whatever the answer was, it was given. */
  function accept() {
    if (way === 'ios') setShowing(true);
    else void askToInstall().catch(console.warn).finally(onLeave);
  }

  return (
    <aside
      aria-label="Install Heartward"
      className="flex items-start gap-3 rounded-card bg-plum-soft py-3 pr-1 pl-4 text-plum"
    >
      <Smartphone aria-hidden="true" className="mt-2.5 size-5 shrink-0" strokeWidth={1.75} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-36 flex-1 text-sm">
          <span className="font-display font-semibold text-base">Keep Heartward close.</span> On your home
          screen it opens at once and can tell you when someone writes.
        </p>
        <Button onClick={accept} size="sm">
          {way === 'ios' ? 'Show me how' : 'Install'}
        </Button>
      </div>
      <IconButton icon={X} label="Do not offer this again" onClick={onLeave} />
      <Sheet
        actions={<Button onClick={onLeave}>Got it</Button>}
        onClose={() => setShowing(false)}
        open={showing}
        title="Heartward on your home screen"
      >
        <InstallSteps />
      </Sheet>
    </aside>
  );
}
