import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { AutoGrowTextarea } from './AutoGrowTextarea.tsx';
import { cn } from './cn.ts';

export type FieldProps = { label: string; hint?: ReactNode; error?: string };

/** The classes of all text inputs. */
export const fieldClasses = cn(
  'w-full rounded-control border bg-surface px-4 text-base text-ink transition-colors',
  'disabled:opacity-60 aria-invalid:border-danger',
  'border-control hover:border-muted',
);

export function useField({ hint, error, id }: { hint?: ReactNode; error?: string; id?: string }) {
  const generatedId = useId();
  const fieldId = id ?? generatedId;
  const noteId = hint || error ? `${fieldId}-note` : undefined;
  return { fieldId, noteId, aria: { 'aria-invalid': error ? true : undefined, 'aria-describedby': noteId } };
}

/** A field with its label, hint and error. */
export function FieldFrame({
  label,
  hint,
  error,
  fieldId,
  noteId,
  children,
  aside,
}: FieldProps & { fieldId: string; noteId?: string; children: ReactNode; aside?: ReactNode }) {
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

/** A single-line text field. All attributes of an input pass through, including `ref`. */
export function TextField({
  label,
  hint,
  error,
  id,
  className,
  ...rest
}: FieldProps & ComponentProps<'input'>) {
  const { fieldId, noteId, aria } = useField({ hint, error, id });
  return (
    <FieldFrame error={error} fieldId={fieldId} hint={hint} label={label} noteId={noteId}>
      <input className={cn(fieldClasses, 'h-12', className)} dir="auto" id={fieldId} {...aria} {...rest} />
    </FieldFrame>
  );
}

/** A multi-line field that grows with its text. With `maxLength` and `count` it shows the number of characters. */
export function TextArea({
  label,
  hint,
  error,
  id,
  className,
  count,
  ...rest
}: FieldProps & ComponentProps<'textarea'> & { count?: number }) {
  const { fieldId, noteId, aria } = useField({ hint, error, id });
  const aside =
    count !== undefined && rest.maxLength ? (
      <span className="shrink-0 text-muted text-xs tabular-nums">
        {count} / {rest.maxLength}
      </span>
    ) : undefined;
  return (
    <FieldFrame aside={aside} error={error} fieldId={fieldId} hint={hint} label={label} noteId={noteId}>
      <AutoGrowTextarea
        className={cn(fieldClasses, 'min-h-24 py-3', className)}
        dir="auto"
        id={fieldId}
        rows={3}
        {...aria}
        {...rest}
      />
    </FieldFrame>
  );
}

/** A native select, which is the best one on a phone. */
export function Select({
  label,
  hint,
  error,
  id,
  className,
  children,
  ...rest
}: FieldProps & ComponentProps<'select'>) {
  const { fieldId, noteId, aria } = useField({ hint, error, id });
  return (
    <FieldFrame error={error} fieldId={fieldId} hint={hint} label={label} noteId={noteId}>
      <span className="relative">
        <select
          className={cn(fieldClasses, 'h-12 appearance-none truncate pe-10', className)}
          id={fieldId}
          {...aria}
          {...rest}
        >
          {children}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute top-3.5 inset-e-3 size-5 text-muted"
        />
      </span>
    </FieldFrame>
  );
}

export function Checkbox({
  label,
  hint,
  error,
  id,
  className,
  ...rest
}: Omit<FieldProps, 'label'> & { label: ReactNode } & ComponentProps<'input'>) {
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
          className={cn('ps-8 text-sm', error ? 'text-danger' : 'text-muted')}
          id={noteId}
          role={error ? 'alert' : undefined}
        >
          {error || hint}
        </p>
      )}
    </div>
  );
}
