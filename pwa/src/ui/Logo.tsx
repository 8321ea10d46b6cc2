import { cn } from './cn.ts';

/** The logo: a small flame inside an open door. */
export function Logo({ className, lively = false }: { className?: string; lively?: boolean }) {
  return (
    <svg aria-hidden="true" className={cn('shrink-0', className)} fill="none" viewBox="0 0 32 32">
      <path
        className="fill-ember-soft stroke-ember"
        d="M7 28V11a9 9 0 0 1 18 0v17"
        strokeLinecap="round"
        strokeWidth="2.2"
      />
      <path
        className={cn('fill-ember', lively && 'animate-flame')}
        d="M16.2 9.5c.5 3.2 4.6 5 4.6 9.3a4.8 4.8 0 0 1-9.6 0c0-2.3 1.2-3.6 2.2-5 .3 1 .7 1.5 1.3 1.9.1-2.3.4-4.5 1.5-6.2Z"
      />
      <path
        className="fill-marigold"
        d="M16.1 17c.3 1.4 1.8 2 1.8 3.7a1.9 1.9 0 0 1-3.8 0c0-1.6 1.4-2.1 2-3.7Z"
      />
      <path className="stroke-ember" d="M4 28h24" strokeLinecap="round" strokeWidth="2.2" />
    </svg>
  );
}
