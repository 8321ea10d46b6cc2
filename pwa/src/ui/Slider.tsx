import { useId } from 'react';
import { cn } from './cn.ts';

type SliderCommonProps = {
  label: string;
  /** The value as text, shown beside the label. The thumb of a `Slider` also has it as its `aria-valuetext`. */
  text: string;
  min: number;
  max: number;
  step: number;
  disabled?: boolean;
};

type SliderProps = SliderCommonProps & { value: number; onChange: (value: number) => void };

/** A native range input with one thumb. */
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
      <div className="hw-slider" style={fillStyle(min, value, min, max)}>
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

type RangeSliderProps = SliderCommonProps & {
  value: readonly [number, number];
  onChange: (value: [number, number]) => void;
  /** The accessible names of the two thumbs. */
  thumbs: readonly [string, string];
};

/** A range with two thumbs, which cannot pass each other. */
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
      <div className="hw-slider hw-slider-range" style={fillStyle(low, high, min, max)}>
        <input
          {...common}
          aria-label={thumbs[0]}
          // When both thumbs are at the maximum, only the lower one can move, so it is on top.
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

/** Returns the coloured part of the line as CSS variables, in shares of its length. */
function fillStyle(from: number, to: number, min: number, max: number) {
  const share = (value: number) => Math.min(1, Math.max(0, (value - min) / (max - min)));
  return { '--from': share(from), '--to': share(to) } as Record<string, number>;
}
