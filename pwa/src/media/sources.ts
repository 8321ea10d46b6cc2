import type { Playable } from './recording.ts';

type Source = Pick<Playable, 'url' | 'mimeType' | 'fallbackUrl'>;

const browserPlays = (mimeType: string) =>
  document.createElement(mimeType.startsWith('video/') ? 'video' : 'audio').canPlayType(mimeType).length > 0;

/** The copy beside a stored recording, in whatever it was sent or shown; it is there once it was made. */
const copyOf = (url: string) => (/^\/files\/[^/]+\/media$/.test(url) ? `${url}.mp4` : null);

/**
 * What to play, in the order to be tried: as it was recorded where this browser says it can, else the copy that
 * plays everywhere. What the browser says is not always right, so the other one is tried too.
 */
export function sourcesOf(
  { url, mimeType, fallbackUrl }: Source,
  canPlay: (mimeType: string) => boolean = browserPlays,
): string[] {
  const copy = fallbackUrl === undefined ? copyOf(url) : fallbackUrl;
  if (!copy) return [url];
  return canPlay(mimeType) ? [url, copy] : [copy, url];
}

/** Why it did not play, for people. */
export function troubleWith(
  { mimeType }: Source,
  online: boolean,
  canPlay: (mimeType: string) => boolean = browserPlays,
): string {
  if (!online) return 'You are offline, and this recording is not on this device yet.';
  if (!canPlay(mimeType))
    return 'This browser cannot play this kind of recording yet. A copy that it can play may be ready in a minute.';
  return 'This recording could not be played. Check your connection and try again.';
}
