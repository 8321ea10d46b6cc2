import { ArrowLeft } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Link, useNavigate } from 'react-router';
import { cn } from './cn.ts';
import { hasPreviousPage, isPreviousPage } from './navigation.ts';

type BackLinkProps = ComponentProps<typeof Link> & {
  to: string;
  /** Whether it leads to the page from which this one was opened, and to `to` only if there is none. */
  toPrevious?: boolean;
};

/** The arrow before a title. Goes back in the history if that is the target, so that its scroll position is restored. */
export function BackLink({ to, toPrevious = false, className, ...rest }: BackLinkProps) {
  const navigate = useNavigate();
  return (
    <Link
      aria-label="Back"
      className={cn(
        'inline-grid size-11 shrink-0 place-items-center rounded-full hover:bg-raised',
        className,
      )}
      onClick={(event) => {
        const { metaKey, ctrlKey, shiftKey, altKey } = event;
        const isBack = toPrevious ? hasPreviousPage() : isPreviousPage(to);
        if (metaKey || ctrlKey || shiftKey || altKey || !isBack) return;
        event.preventDefault();
        void navigate(-1);
      }}
      to={to}
      {...rest}
    >
      <ArrowLeft aria-hidden="true" className="size-5.5" />
    </Link>
  );
}
