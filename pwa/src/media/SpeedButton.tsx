import { cn } from '@/ui';
import { nextSpeed, useSpeed } from './speed.ts';

/** Changes the playback speed of all recordings on this device. */
export function SpeedButton({ className }: { className?: string }) {
  const speed = useSpeed();
  return (
    <button
      aria-label={`Playback speed ${speed}×. Change it`}
      className={cn(
        'min-h-11 min-w-11 shrink-0 rounded-control font-semibold text-sm tabular-nums',
        className,
      )}
      onClick={nextSpeed}
      type="button"
    >
      {speed}×
    </button>
  );
}
