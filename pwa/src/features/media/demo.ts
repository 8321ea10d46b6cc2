/** The demonstration's way of sending: takes its time, fails without a network, and keeps nothing. */
import type { Playable } from '@/media/recording.ts';
import { NotDelivered } from './notSent.ts';
import type { Delivery } from './send.ts';

export type Shown = { id: number; at: Date } & (
  | { kind: 'voice' | 'video'; recording: Playable }
  | { kind: 'pictures'; urls: string[]; caption: string }
  | { kind: 'text'; text: string }
);

const STEPS = 8;
const STEP_MS = 120;
let last = 0;

const made: string[] = [];
function urlOf(blob: Blob): string {
  const url = URL.createObjectURL(blob);
  made.push(url);
  return url;
}

/** Gives back what was shown. */
export function leaveDemo(): void {
  for (const url of made.splice(0)) URL.revokeObjectURL(url);
}

export async function simulate(
  delivery: Delivery,
  onProgress: (share: number) => void = () => undefined,
): Promise<Shown> {
  for (let step = 1; step <= STEPS; step++) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    if (!navigator.onLine) throw new NotDelivered('Failed to send message. Please check your connection.');
    onProgress(step / STEPS);
  }
  last += 1;
  const base = { id: last, at: new Date() };
  if (delivery.kind === 'pictures') {
    const { pictures, caption } = delivery;
    return { ...base, kind: 'pictures', urls: pictures.map(({ blob }) => urlOf(blob)), caption };
  }
  const { kind, take } = delivery;
  const posterUrl = take.poster && urlOf(take.poster);
  // Its own address: the recorder takes its one back when it is done.
  return { ...base, kind, recording: { ...take, url: urlOf(take.blob), posterUrl } };
}

export function textShown(text: string): Shown {
  last += 1;
  return { id: last, at: new Date(), kind: 'text', text };
}
