import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { cn } from '@/ui';
import { roundedDuration, spoken } from './clock.ts';
import { keyTarget } from './seeking.ts';
import type { Playback } from './usePlayback.ts';

type TimeLineProps = {
  playback: Playback;
  durationMs: number;
  label: string;
  className?: string;
  children: ReactNode;
};

/**
 * The playback position as a slider for finger, mouse and arrow keys. A recording runs from left to right in every
 * language, as its waveform does.
 */
export function TimeLine({ playback, durationMs, label, className, children }: TimeLineProps) {
  const drag = useSeekDrag((share) => playback.seek(share * durationMs));

  function handleKey(event: KeyboardEvent) {
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
      aria-valuetext={`${spoken(playback.positionMs)} of ${spoken(roundedDuration(durationMs))}`}
      dir="ltr"
      className={cn('relative min-h-11 min-w-0 flex-1 cursor-pointer touch-pan-y rounded-control', className)}
      onKeyDown={handleKey}
      role="slider"
      tabIndex={0}
      {...drag}
    >
      {children}
    </div>
  );
}

/** A finger that has moved less may still start to scroll. */
const AXIS_PX = 10;

type Drag = { id: number; x: number; y: number; seeking: boolean };

/**
 * Seeks by pointer: a mouse at once, a finger by a tap or once it has moved sideways. A finger that moves up or down
 * scrolls the page. `seek` receives a share of the width, which may be slightly outside 0 to 1.
 */
function useSeekDrag(seek: (share: number) => void) {
  const drag = useRef<Drag | null>(null);

  function seekTo(event: PointerEvent<HTMLElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    seek((event.clientX - left) / width);
  }

  function startSeeking(event: PointerEvent<HTMLElement>, current: Drag) {
    current.seeking = true;
    event.currentTarget.setPointerCapture(current.id);
    seekTo(event);
  }

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (!event.isPrimary) return;
      drag.current = { id: event.pointerId, x: event.clientX, y: event.clientY, seeking: false };
      if (event.pointerType !== 'touch') startSeeking(event, drag.current);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const current = drag.current;
      if (current?.id !== event.pointerId) return;
      if (current.seeking) return seekTo(event);
      const [dx, dy] = [Math.abs(event.clientX - current.x), Math.abs(event.clientY - current.y)];
      if (Math.max(dx, dy) < AXIS_PX) return;
      if (dx > dy) startSeeking(event, current);
      else drag.current = null;
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const current = drag.current;
      drag.current = null;
      if (current?.id === event.pointerId && !current.seeking) seekTo(event);
    },
    onPointerCancel: () => {
      drag.current = null;
    },
  };
}
