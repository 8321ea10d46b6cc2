/** The schedule of the notification demo, in ms from its start. */
const SAMPLES = [
  { atMs: 2000, title: "It's a Match!", body: 'You and Maya like each other', tag: 'demo-match' },
  { atMs: 5000, title: 'Maya', body: 'That bakery you mentioned: Saturday morning?', tag: 'demo-message' },
  {
    atMs: 8000,
    title: '3 people like you',
    body: 'See who they are, and whom you like too.',
    tag: 'demo-likes',
  },
] as const;
export const SAMPLE_MS = 8000;
const COMPLETE_AT_MS = 11_000;

export type Sample = (typeof SAMPLES)[number];

/** Plays the demo; returns a function that stops it. */
export function playDemo(show: (sample: Sample) => void, complete: () => void): () => void {
  const timers = [
    ...SAMPLES.map((sample) => setTimeout(() => show(sample), sample.atMs)),
    setTimeout(complete, COMPLETE_AT_MS),
  ];
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
