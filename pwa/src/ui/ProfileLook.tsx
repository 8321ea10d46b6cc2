/** How a profile page looks by its member's choice. Not in index.ts, because its styles load with the screens that use it. */
import type { ReactNode } from 'react';
import { cn } from './cn.ts';
import './profileThemes.css';

type LookProps = { theme: string | null; className?: string; children: ReactNode };

/** Shows the content in the colors of a theme; null is the app's. Wider than the page's column, by pixels like its padding. */
export function ProfileTheme({ theme, className, children }: LookProps) {
  if (!theme) return children;
  return (
    <div
      className={cn('mx-[-12px] rounded-card p-[12px] md:mx-[-16px] md:p-[16px]', className)}
      data-profile-theme={theme}
    >
      {children}
    </div>
  );
}

type FrameProps = { frame: string | null; className?: string; children: ReactNode };

/** Draws a frame around the content, which has rounded corners itself. */
export function ProfileFrame({ frame, className, children }: FrameProps) {
  if (!frame) return children;
  return (
    <div
      className={cn('relative self-start rounded-card p-1.5', className ?? 'w-full')}
      data-profile-frame={frame}
    >
      {children}
      {frame === 'garland' && (
        <>
          <Sprig className="-top-2 -left-2" />
          <Sprig className="-right-2 -bottom-2 rotate-180" />
        </>
      )}
    </div>
  );
}

/** Leaves along two edges of the corner, each as its centre and angle. */
const leaves = [
  [13, 13, 45],
  [30, 8, 100],
  [8, 30, -10],
  [48, 9, 80],
  [9, 48, 10],
  [66, 7, 100],
  [7, 66, -10],
] as const;

function Sprig({ className }: { className: string }) {
  return (
    <svg
      aria-hidden="true"
      className={cn('pointer-events-none absolute size-20 text-sage', className)}
      fill="currentColor"
      viewBox="0 0 76 76"
    >
      {leaves.map(([x, y, angle]) => (
        <ellipse cx={x} cy={y} key={`${x} ${y}`} rx="4" ry="8" transform={`rotate(${angle} ${x} ${y})`} />
      ))}
    </svg>
  );
}
