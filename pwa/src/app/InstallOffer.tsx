import { Smartphone, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLive } from '@/offline/store/cached.ts';
import { Button, IconButton, Sheet } from '@/ui';
import { InstallSteps } from './InstallSteps.tsx';
import {
  askToInstall,
  dismissOffer,
  type InstallMethod,
  markOffered,
  mayOffer,
  readIsWorthOffering,
  useHasInteracted,
  useInstallMethod,
} from './install.ts';

/** The offer to install the app below matches and conversations, once it is worth it. One tap dismisses it. */
export default function InstallOffer() {
  const method = useInstallMethod();
  const isWorthOffering = useLive(readIsWorthOffering);
  const hasInteracted = useHasInteracted();
  const [open, setOpen] = useState(() => mayOffer());
  if (!method || !isWorthOffering || !hasInteracted || !open) return null;
  const dismiss = () => {
    dismissOffer();
    setOpen(false);
  };
  return <Offer onDismiss={dismiss} method={method} />;
}

function Offer({ method, onDismiss }: { method: NonNullable<InstallMethod>; onDismiss: () => void }) {
  const [stepsOpen, setStepsOpen] = useState(false);
  useEffect(() => markOffered(), []);

  /** Shows the steps or the browser's prompt; any answer to the prompt dismisses the offer. */
  function accept() {
    if (method === 'ios') setStepsOpen(true);
    else void askToInstall().catch(console.warn).finally(onDismiss);
  }

  return (
    <aside
      aria-label="Install Heartward"
      className="flex items-start gap-3 rounded-card bg-plum-soft py-3 pe-1 ps-4 text-plum"
    >
      <Smartphone aria-hidden="true" className="mt-2.5 size-5 shrink-0" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-[min(100%,9rem)] flex-1 text-sm">
          <span className="font-display font-semibold text-base">Add Heartward to your home screen.</span> It
          opens instantly and can tell you about new messages.
        </p>
        <Button onClick={accept} size="sm">
          {method === 'ios' ? 'Show me how' : 'Install'}
        </Button>
      </div>
      <IconButton icon={X} label="Do not offer this again" onClick={onDismiss} />
      <Sheet
        actions={<Button onClick={onDismiss}>Got it</Button>}
        onClose={() => setStepsOpen(false)}
        open={stepsOpen}
        title="Heartward on your home screen"
      >
        <InstallSteps />
      </Sheet>
    </aside>
  );
}
