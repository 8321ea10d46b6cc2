import type { Playable } from './recording.ts';

type Source = Pick<Playable, 'url' | 'mimeType' | 'fallbackUrl'>;

const canBrowserPlay = (mimeType: string) =>
  document.createElement(mimeType.startsWith('video/') ? 'video' : 'audio').canPlayType(mimeType).length > 0;

/** Returns the address of the MP4 copy beside a stored recording; the server makes it some time after the upload. */
const mp4CopyOf = (url: string) => (/^\/files\/[^/]+\/media$/.test(url) ? `${url}.mp4` : null);

/**
 * Returns the sources in the order to try: the recorded file first if this browser says it can play it, else the MP4
 * copy. The other one follows, because the browser is not always right.
 */
export function sourcesOf(
  { url, mimeType, fallbackUrl }: Source,
  canPlay: (mimeType: string) => boolean = canBrowserPlay,
): string[] {
  const copy = fallbackUrl === undefined ? mp4CopyOf(url) : fallbackUrl;
  if (!copy) return [url];
  return canPlay(mimeType) ? [url, copy] : [copy, url];
}

/** Returns a text for the member about why playback failed. */
export function describePlaybackError(
  { mimeType }: Source,
  online: boolean,
  canPlay: (mimeType: string) => boolean = canBrowserPlay,
): string {
  if (!online) return 'You are offline, and this recording is not on this device yet.';
  if (!canPlay(mimeType))
    return 'This browser cannot play this kind of recording yet. A copy that it can play may be ready in a minute.';
  return 'This recording could not be played. Check your connection and try again.';
}
