import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { cn } from '@/ui';
import { lengthOf, spoken } from './clock.ts';
import { keyTarget } from './seeking.ts';
import type { Playback } from './usePlayback.ts';

type TimeLineProps = {
  playback: Playback;
  durationMs: number;
  label: string;
  className?: string;
  children: ReactNode;
};

/** Where in the recording it is; by finger, mouse or arrow keys to another moment. */
export function TimeLine({ playback, durationMs, label, className, children }: TimeLineProps) {
  function point(event: PointerEvent<HTMLDivElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    playback.seek(((event.clientX - left) / width) * durationMs);
  }

  function press(event: KeyboardEvent) {
    const to = keyTarget(event.key, playback.positionMs, durationMs);
    if (to === undefined) return;
    event.preventDefault();
    playback.seek(to);
  }

  return (
    <div
      aria-label={label}
      aria-valuemax={Math.round(durationMs / 1000)}
      aria-valuemin={0}
      aria-valuenow={Math.round(playback.positionMs / 1000)}
      aria-valuetext={`${spoken(playback.positionMs)} of ${spoken(lengthOf(durationMs))}`}
      className={cn('relative min-h-11 min-w-0 flex-1 cursor-pointer touch-none rounded-control', className)}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        point(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && point(event)}
      role="slider"
      tabIndex={0}
    >
      {children}
    </div>
  );
}
