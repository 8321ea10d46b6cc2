import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from './cn.ts';

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role' | 'checked' | 'onChange'> & {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
};

/** A switch with its label. The whole row can be tapped. */
export function Switch({ label, hint, id, className, checked, onChange, ...rest }: SwitchProps) {
  const generatedId = useId();
  const inputId = id ?? generatedId;
  const hintId = hint ? `${inputId}-hint` : undefined;
  return (
    <label
      className={cn('flex min-h-11 items-center justify-between gap-4 py-1.5', className)}
      htmlFor={inputId}
    >
      <span className="min-w-0">
        {label}
        {hint && (
          <span className="block text-muted text-sm" id={hintId}>
            {hint}
          </span>
        )}
      </span>
      <input
        aria-checked={checked}
        aria-describedby={hintId}
        checked={checked}
        className="hw-switch"
        id={inputId}
        onChange={(event) => onChange(event.target.checked)}
        role="switch"
        type="checkbox"
        {...rest}
      />
    </label>
  );
}
