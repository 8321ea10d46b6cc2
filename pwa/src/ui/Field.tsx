import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { AutoGrowTextarea } from './AutoGrowTextarea.tsx';
import { cn } from './cn.ts';

export type Common = { label: string; hint?: ReactNode; error?: string };

/** The look of everything that is typed into. */
export const box = cn(
  'w-full rounded-control border bg-surface px-4 text-base text-ink transition-colors',
  'disabled:opacity-60 aria-invalid:border-danger',
  'border-control hover:border-muted',
);

export function useField({ hint, error, id }: { hint?: ReactNode; error?: string; id?: string }) {
  const made = useId();
  const fieldId = id ?? made;
  const noteId = hint || error ? `${fieldId}-note` : undefined;
  return { fieldId, noteId, aria: { 'aria-invalid': error ? true : undefined, 'aria-describedby': noteId } };
}

/** Label, note and complaint around a field. */
export function Frame({
  label,
  hint,
  error,
  fieldId,
  noteId,
  children,
  aside,
}: Common & { fieldId: string; noteId?: string; children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label className="font-medium text-sm" htmlFor={fieldId}>
          {label}
        </label>
        {aside}
      </div>
      {children}
      {(error || hint) && (
        <p
          className={cn('text-sm', error ? 'text-danger' : 'text-muted')}
          id={noteId}
          role={error ? 'alert' : undefined}
        >
          {error || hint}
        </p>
      )}
    </div>
  );
}

/** One line of text. All attributes of an input pass through, `ref` included. */
export function TextField({ label, hint, error, id, className, ...rest }: Common & ComponentProps<'input'>) {
  const { fieldId, noteId, aria } = useField({ hint, error, id });
  return (
    <Frame error={error} fieldId={fieldId} hint={hint} label={label} noteId={noteId}>
      <input className={cn(box, 'h-12', className)} id={fieldId} {...aria} {...rest} />
    </Frame>
  );
}

/** Several lines; grows with what is written. With `maxLength` and `count` it shows how much is used. */
export function TextArea({
  label,
  hint,
  error,
  id,
  className,
  count,
  ...rest
}: Common & ComponentProps<'textarea'> & { count?: number }) {
  const { fieldId, noteId, aria } = useField({ hint, error, id });
  const aside =
    count !== undefined && rest.maxLength ? (
      <span className="shrink-0 text-muted text-xs tabular-nums">
        {count} / {rest.maxLength}
      </span>
    ) : undefined;
  return (
    <Frame aside={aside} error={error} fieldId={fieldId} hint={hint} label={label} noteId={noteId}>
      <AutoGrowTextarea
        className={cn(box, 'min-h-24 py-3', className)}
        id={fieldId}
        rows={3}
        {...aria}
        {...rest}
      />
    </Frame>
  );
}

/** The device's own list: the best one on a phone. */
export function Select({
  label,
  hint,
  error,
  id,
  className,
  children,
  ...rest
}: Common & ComponentProps<'select'>) {
  const { fieldId, noteId, aria } = useField({ hint, error, id });
  return (
    <Frame error={error} fieldId={fieldId} hint={hint} label={label} noteId={noteId}>
      <span className="relative">
        <select
          className={cn(box, 'h-12 appearance-none truncate pr-10', className)}
          id={fieldId}
          {...aria}
          {...rest}
        >
          {children}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute top-3.5 right-3 size-5 text-muted"
          strokeWidth={1.75}
        />
      </span>
    </Frame>
  );
}

export function Checkbox({
  label,
  hint,
  error,
  id,
  className,
  ...rest
}: Omit<Common, 'label'> & { label: ReactNode } & ComponentProps<'input'>) {
  const { fieldId, noteId, aria } = useField({ hint, error, id });
  return (
    <div className={className}>
      <label className="flex min-h-11 items-start gap-3 py-2" htmlFor={fieldId}>
        <input
          className="mt-0.5 size-5 shrink-0 accent-ember"
          id={fieldId}
          type="checkbox"
          {...aria}
          {...rest}
        />
        <span className="text-base">{label}</span>
      </label>
      {(error || hint) && (
        <p
          className={cn('pl-8 text-sm', error ? 'text-danger' : 'text-muted')}
          id={noteId}
          role={error ? 'alert' : undefined}
        >
          {error || hint}
        </p>
      )}
    </div>
  );
}
