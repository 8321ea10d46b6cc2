import { cn } from '@/ui';
import { resample } from './levels.ts';

const bars = 40;
const gap = 5;
const height = 40;
const lowest = 3;

type WaveformProps = {
  levels: readonly number[];
  /** The share of 1 that has been heard; the rest is drawn quieter. */
  share?: number;
  className?: string;
};

/** Loudness over time as rounded bars. Decorative: the words beside it say what it is. */
export function Waveform({ levels, share = 1, className }: WaveformProps) {
  // Without data every bar is as low as silence: still a line to follow.
  const drawn = levels.length > 0 ? resample(levels, bars) : Array.from({ length: bars }, () => 0);
  return (
    <svg
      aria-hidden="true"
      className={cn('block w-full', className)}
      preserveAspectRatio="none"
      viewBox={`0 0 ${bars * gap} ${height}`}
    >
      {drawn.map((level, place) => {
        const tall = lowest + (level / 100) * (height - lowest);
        const heard = (place + 0.5) / bars <= share;
        return (
          <rect
            className={heard ? 'fill-ember' : 'fill-control'}
            height={tall}
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the bar.
            key={place}
            rx={1.5}
            width={gap - 2}
            x={place * gap + 1}
            y={(height - tall) / 2}
          />
        );
      })}
    </svg>
  );
}
