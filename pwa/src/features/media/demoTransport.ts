/** A fake transport for the demo screen: it takes time, fails offline, and stores nothing. */
import type { Playable } from '@/media/recording.ts';
import type { Delivery } from './send.ts';
import { NotDelivered } from './sendErrors.ts';

export type DemoItem = { id: string; at: Date } & (
  | { kind: 'voice' | 'video'; recording: Playable }
  | { kind: 'pictures'; urls: string[]; caption: string }
  | { kind: 'text'; text: string }
);

const STEPS = 8;
const STEP_MS = 120;

const urls: string[] = [];
function createUrl(blob: Blob): string {
  const url = URL.createObjectURL(blob);
  urls.push(url);
  return url;
}

/** Revokes the URLs of all items. */
export function revokeDemoUrls(): void {
  for (const url of urls.splice(0)) URL.revokeObjectURL(url);
}

export async function simulateSend(
  delivery: Delivery,
  onProgress: (share: number) => void = () => undefined,
): Promise<DemoItem> {
  for (let step = 1; step <= STEPS; step++) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    if (!navigator.onLine) throw new NotDelivered('Failed to send message. Please check your connection.');
    onProgress(step / STEPS);
  }
  const base = { id: crypto.randomUUID(), at: new Date() };
  if (delivery.kind === 'pictures') {
    const { pictures, caption } = delivery;
    return { ...base, kind: 'pictures', urls: pictures.map(({ blob }) => createUrl(blob)), caption };
  }
  const { kind, clip } = delivery;
  const posterUrl = clip.poster && createUrl(clip.poster);
  // A URL of its own: the recorder revokes the clip's when it is done.
  return { ...base, kind, recording: { ...clip, url: createUrl(clip.blob), posterUrl } };
}

export function textItem(text: string): DemoItem {
  return { id: crypto.randomUUID(), at: new Date(), kind: 'text', text };
}
