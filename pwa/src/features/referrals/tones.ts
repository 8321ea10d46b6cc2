import type { ComponentProps } from 'react';
import type { Badge } from '@/ui';

type Tone = NonNullable<ComponentProps<typeof Badge>['tone']>;

const tones: Tone[] = ['neutral', 'sage', 'plum', 'marigold', 'ember'];

/** Returns the badge colour of a tier. */
export function toneOf(level: number): Tone {
  return tones[level] ?? 'neutral';
}
