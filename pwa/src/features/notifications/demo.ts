/** The notifications' demo: when each sample comes, how long it stays, and when it is over. */
const SAMPLES = [
  { at: 2000, title: "It's a Match!", body: 'You and Maya like each other', tag: 'demo-match' },
  { at: 5000, title: 'Maya', body: 'That bakery you mentioned: Saturday morning?', tag: 'demo-message' },
  {
    at: 8000,
    title: '3 people like you',
    body: 'See who they are, and whom you like too.',
    tag: 'demo-likes',
  },
] as const;
export const SAMPLE_MS = 8000;
const COMPLETE_AT = 11_000;

export type Sample = (typeof SAMPLES)[number];

/** Plays it; the returned function ends it early. */
export function playDemo(show: (sample: Sample) => void, complete: () => void): () => void {
  const timers = [
    ...SAMPLES.map((sample) => setTimeout(() => show(sample), sample.at)),
    setTimeout(complete, COMPLETE_AT),
  ];
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
