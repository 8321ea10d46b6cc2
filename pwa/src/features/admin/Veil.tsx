import { type ReactNode, useState } from 'react';
import { storageKeys } from '@/base/storage.ts';
import { createEmitter } from '@/base/store.ts';

const changes = createEmitter();
const areVeiled = () => localStorage.getItem(storageKeys.adminVeil) !== 'off';

export const useVeils = () => changes.useValue(areVeiled);

export function setVeils(on: boolean): void {
  if (on) localStorage.removeItem(storageKeys.adminVeil);
  else localStorage.setItem(storageKeys.adminVeil, 'off');
  changes.emit();
}

type VeilProps = {
  /** What the picture or video is, such as "Photo 1". */
  label: string;
  children: ReactNode;
};

/** Blurs and greys out what it contains until a press, and again after another one, unless the moderator turned this off. */
export function Veil({ label, children }: VeilProps) {
  const isOn = useVeils();
  const [isLifted, setLifted] = useState(false);
  if (!isOn) return children;
  return (
    <div className="flex flex-col gap-1">
      <div
        className={isLifted ? undefined : 'pointer-events-none overflow-hidden rounded-control'}
        data-veiled={!isLifted}
      >
        <div className={isLifted ? undefined : 'blur-xl grayscale'}>{children}</div>
      </div>
      <button
        aria-label={`${label}: ${isLifted ? 'blur' : 'show clearly'}`}
        aria-pressed={isLifted}
        className="min-h-11 self-start rounded-control px-2 font-semibold text-ember-strong text-sm hover:bg-raised"
        onClick={() => setLifted(!isLifted)}
        type="button"
      >
        {isLifted ? 'Blur' : 'Show clearly'}
      </button>
    </div>
  );
}
