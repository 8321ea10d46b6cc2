import { cn } from '@/ui';
import { resample } from './levels.ts';

const BARS = 40;
const BAR_STEP = 5;
const VIEW_HEIGHT = 40;
const MIN_BAR = 3;

type WaveformProps = {
  levels: readonly number[];
  /** The share from 0 to 1 that was played; the rest is drawn paler. */
  share?: number;
  className?: string;
};

/** Loudness over time as rounded bars. Decorative: the label beside it describes it. */
export function Waveform({ levels, share = 1, className }: WaveformProps) {
  // Without data all bars have the minimum height.
  const barLevels = levels.length > 0 ? resample(levels, BARS) : Array.from({ length: BARS }, () => 0);
  return (
    <svg
      aria-hidden="true"
      className={cn('block w-full', className)}
      preserveAspectRatio="none"
      viewBox={`0 0 ${BARS * BAR_STEP} ${VIEW_HEIGHT}`}
    >
      {barLevels.map((level, index) => {
        const barHeight = MIN_BAR + (level / 100) * (VIEW_HEIGHT - MIN_BAR);
        const played = (index + 0.5) / BARS <= share;
        return (
          <rect
            className={played ? 'fill-ember' : 'fill-control'}
            height={barHeight}
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
            key={index}
            rx={1.5}
            width={BAR_STEP - 2}
            x={index * BAR_STEP + 1}
            y={(VIEW_HEIGHT - barHeight) / 2}
          />
        );
      })}
    </svg>
  );
}
