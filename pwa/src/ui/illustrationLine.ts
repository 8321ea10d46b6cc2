/** What the frame of a drawing and its lazily loaded pictures share. */
export type IllustrationName = 'people' | 'hearts' | 'letters' | 'door' | 'road' | 'cloud';

export const line = {
  fill: 'none',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  strokeWidth: 3,
} as const;
