import { ArrowLeft } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Link, useNavigate } from 'react-router';
import { cn } from './cn.ts';
import { isPreviousPage } from './navigation.ts';

/** The arrow before a title. Goes back in the history if that is the target, so that its scroll position is restored. */
export function BackLink({ to, className, ...rest }: ComponentProps<typeof Link> & { to: string }) {
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
        if (metaKey || ctrlKey || shiftKey || altKey || !isPreviousPage(to)) return;
        event.preventDefault();
        void navigate(-1);
      }}
      to={to}
      {...rest}
    >
      <ArrowLeft aria-hidden="true" className="size-5.5" strokeWidth={1.75} />
    </Link>
  );
}
