import { Suspense } from 'react';
import { cn, lazyWithRetry } from '@/ui';

const BadgeIcon = lazyWithRetry(() => import('./BadgeIcon.tsx'));

type Palette = 'ember' | 'plum' | 'marigold' | 'sage' | 'sky';

/** The ground and the icon of each palette. */
const palettes: Record<Palette, [string, string]> = {
  ember: ['bg-ember-soft', 'text-ember-strong'],
  plum: ['bg-plum-soft', 'text-plum'],
  marigold: ['bg-marigold-soft', 'text-marigold-ink'],
  sage: ['bg-sage-soft', 'text-sage'],
  sky: ['bg-sky-soft', 'text-sky'],
};

const sizes = {
  sm: ['size-9', 'size-4.5'],
  md: ['size-14', 'size-7'],
  xl: ['size-28', 'size-14'],
} as const;

type BadgeArtProps = {
  badge: { iconKey: string; colorPalette: Palette };
  size?: keyof typeof sizes;
  /** Whether the member does not have it yet. */
  locked?: boolean;
};

/** The picture of a badge: a medal with a scalloped edge. */
export function BadgeArt({ badge: { iconKey, colorPalette }, size = 'md', locked = false }: BadgeArtProps) {
  const [outer, inner] = sizes[size];
  const [ground, ink] = locked ? ['bg-raised', 'text-muted'] : palettes[colorPalette];
  return (
    <span aria-hidden="true" className={cn('relative grid shrink-0 place-items-center', outer)}>
      {[0, 30, 60].map((angle) => (
        <span
          className={cn('absolute inset-[9%] rounded-[24%]', ground)}
          key={angle}
          style={{ rotate: `${angle}deg` }}
        />
      ))}
      <Suspense fallback={null}>
        <BadgeIcon className={cn('relative', inner, ink)} iconKey={iconKey} />
      </Suspense>
    </span>
  );
}
