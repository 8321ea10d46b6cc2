import { useId } from 'react';
import { cn } from './cn.ts';

type Common = {
  label: string;
  /** The value in words, shown beside the label and read with each thumb. */
  text: string;
  min: number;
  max: number;
  step: number;
  disabled?: boolean;
};

type SliderProps = Common & { value: number; onChange: (value: number) => void };

/** One thumb: the browser's own range, so that keys, fingers and screen readers know it. */
export function Slider({ label, text, min, max, step, value, disabled, onChange }: SliderProps) {
  const id = useId();
  return (
    <div className={cn(disabled && 'opacity-55')}>
      <div className="flex items-baseline justify-between gap-3">
        <label className="font-medium text-sm" htmlFor={id}>
          {label}
        </label>
        <output className="shrink-0 text-muted text-sm tabular-nums" htmlFor={id}>
          {text}
        </output>
      </div>
      <div className="hw-slider" style={filled(min, value, min, max)}>
        <input
          aria-valuetext={text}
          disabled={disabled}
          id={id}
          max={max}
          min={min}
          onChange={(event) => onChange(event.target.valueAsNumber)}
          step={step}
          type="range"
          value={value}
        />
      </div>
    </div>
  );
}

type RangeSliderProps = Common & {
  value: readonly [number, number];
  onChange: (value: [number, number]) => void;
  /** What the two thumbs are called. */
  thumbs: readonly [string, string];
};

/** Two thumbs on one line; neither passes the other. */
export function RangeSlider(props: RangeSliderProps) {
  const { label, text, min, max, step, value, disabled, thumbs, onChange } = props;
  const [low, high] = value;
  const common = { disabled, max, min, step, type: 'range' } as const;
  return (
    <fieldset aria-label={label} className={cn('min-w-0', disabled && 'opacity-55')}>
      <div className="flex items-baseline justify-between gap-3">
        <span className="font-medium text-sm">{label}</span>
        <output className="shrink-0 text-muted text-sm tabular-nums">{text}</output>
      </div>
      <div className="hw-slider hw-slider-range" style={filled(low, high, min, max)}>
        <input
          {...common}
          aria-label={thumbs[0]}
          // Where both thumbs lie at the upper end, only the lower one can move.
          className={low > (min + max) / 2 ? 'z-1' : undefined}
          onChange={(event) => onChange([Math.min(event.target.valueAsNumber, high), high])}
          value={low}
        />
        <input
          {...common}
          aria-label={thumbs[1]}
          onChange={(event) => onChange([low, Math.max(event.target.valueAsNumber, low)])}
          value={high}
        />
      </div>
    </fieldset>
  );
}

/** Which part of the line is coloured, as shares of its length. */
function filled(from: number, to: number, min: number, max: number) {
  const share = (value: number) => Math.min(1, Math.max(0, (value - min) / (max - min)));
  return { '--from': share(from), '--to': share(to) } as Record<string, number>;
}
