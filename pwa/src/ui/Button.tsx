import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { cn } from './cn.ts';
import { Spinner } from './Spinner.tsx';

type ButtonStyle = {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger';
  size?: 'sm' | 'md' | 'lg';
  /** Full width of its container. */
  block?: boolean;
};

const variants = {
  primary: 'bg-ember text-on-ember hover:bg-ember-strong',
  secondary: 'border border-control bg-surface text-ink hover:bg-raised',
  ghost: 'text-ember-strong hover:bg-ember-soft',
  danger: 'bg-danger text-on-danger hover:opacity-90',
};

const sizes = {
  sm: 'min-h-11 px-3 text-sm',
  md: 'min-h-11 px-5 text-base',
  lg: 'min-h-13 px-6 text-lg',
};

function buttonClasses({ variant = 'primary', size = 'md', block }: ButtonStyle): string {
  return cn(
    'inline-flex items-center justify-center gap-2 wrap-break-word rounded-control py-2 text-center font-semibold transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    variants[variant],
    sizes[size],
    block && 'w-full',
  );
}

type ButtonProps = ComponentProps<'button'> & ButtonStyle & { busy?: boolean; children: ReactNode };

/**
 * A button. While `busy` it does nothing and is announced as busy and disabled, but keeps the focus, which a disabled
 * element would lose.
 */
export function Button({
  variant,
  size,
  block,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={cn(buttonClasses({ variant, size, block }), className)}
      // Prevented, the click of a submit button does not submit.
      onClick={busy ? (event) => event.preventDefault() : onClick}
      type="button"
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/** A link styled as a button; the screens cross-fade. */
export function ButtonLink({
  variant,
  size,
  block,
  className,
  ...rest
}: ComponentProps<typeof Link> & ButtonStyle) {
  return <Link className={cn(buttonClasses({ variant, size, block }), className)} viewTransition {...rest} />;
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** The accessible name and the tooltip. */
  label: string;
  icon: LucideIcon;
  tone?: 'plain' | 'surface' | 'photo';
};

const tones = {
  plain: 'text-ink hover:bg-raised',
  surface: 'border border-line bg-surface text-ink shadow-float hover:bg-raised',
  photo: 'bg-scrim text-on-photo',
};

export function IconButton({ label, icon: Icon, tone = 'plain', className, ...rest }: IconButtonProps) {
  return (
    <button
      aria-label={label}
      className={cn(
        // Icons grow less than text, so that a title beside them has room when text is doubled.
        'inline-grid size-[max(44px,1.75rem)] shrink-0 place-items-center rounded-full transition-colors',
        'disabled:cursor-not-allowed disabled:opacity-45',
        tones[tone],
        className,
      )}
      title={label}
      type="button"
      {...rest}
    >
      <Icon aria-hidden="true" className="size-[max(22px,1rem)]" />
    </button>
  );
}
