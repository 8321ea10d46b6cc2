import { CloudOff } from 'lucide-react';
import { useRootMark } from './rootMark.ts';

type OfflineStripProps = {
  offline: boolean;
  /** Whether what is unsent is lost with the page. */
  keepsNothing: boolean;
};

/** The strip at the bottom of the screen while offline. It covers the page and shifts no content. */
export function OfflineStrip({ offline, keepsNothing }: OfflineStripProps) {
  useRootMark('offline', offline);
  return (
    <div aria-live="polite">
      {offline && (
        <p className="in-data-admin:hidden fixed inset-x-0 bottom-[calc(var(--tab-bar)+env(safe-area-inset-bottom))] z-30 flex min-h-10 items-center justify-center gap-2 bg-plum-soft px-safe py-1 text-center text-plum text-xs min-[400px]:text-sm md:bottom-0">
          <CloudOff aria-hidden="true" className="size-4 shrink-0" />
          {keepsNothing
            ? "You're offline. What you send waits only while Heartward is open."
            : "You're offline. You can read and write; we'll send later."}
        </p>
      )}
    </div>
  );
}
