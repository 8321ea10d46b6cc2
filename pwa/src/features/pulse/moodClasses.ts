import type { PulseMood } from '@/api/types.ts';

/** The class of a mood's colour. */
export const moodFill: Record<PulseMood, string> = {
  peaceful: 'bg-mood-peaceful',
  hopeful: 'bg-mood-hopeful',
  content: 'bg-mood-content',
  energetic: 'bg-mood-energetic',
  passionate: 'bg-mood-passionate',
  inspired: 'bg-mood-inspired',
  grateful: 'bg-mood-grateful',
};
