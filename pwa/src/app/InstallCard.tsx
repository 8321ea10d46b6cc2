import { Smartphone } from 'lucide-react';
import { Button } from '@/ui';
import { InstallSteps } from './InstallSteps.tsx';
import { askToInstall, type InstallMethod } from './install.ts';

/** The card in the settings that explains how to install the app. */
export function InstallCard({ method }: { method: NonNullable<InstallMethod> }) {
  return (
    <section aria-labelledby="install-title" className="card p-5">
      <div className="flex flex-wrap items-center gap-4">
        <Smartphone aria-hidden="true" className="size-6 shrink-0 text-ember-strong" />
        <div className="min-w-[min(100%,10rem)] flex-1">
          <h2 className="font-display font-semibold text-lg" id="install-title">
            On your home screen
          </h2>
          <p className="text-muted text-sm">
            {method === 'prompt'
              ? 'Heartward works offline and takes almost no space.'
              : 'On an iPhone or iPad, Heartward can notify you only from your home screen. Here is how:'}
          </p>
        </div>
        {method === 'prompt' && (
          <Button className="max-sm:w-full" onClick={() => void askToInstall().catch(console.warn)}>
            Install Heartward
          </Button>
        )}
      </div>
      {method === 'ios' && (
        <div className="mt-4">
          <InstallSteps />
        </div>
      )}
    </section>
  );
}
