/**
 * Prefetches and decodes the photos of the next cards, so that no card appears without its picture. The service worker
 * caches them for offline use.
 */

import { useEffect, useState } from 'react';
import type { Photo } from '@/api/types.ts';
import { type InSession, part, useSession } from '@/base/pageSession.ts';
import { createEmitter } from '@/base/store.ts';
import { whenIdle } from '@/offline/store/idle.ts';
import { scheduleRetry } from '@/ui/retry.ts';

/** 'full' and 'thumb' are decoded; 'none' failed to load, and its placeholder is drawn. */
export type Picture = 'full' | 'thumb' | 'none';

/** A picture that takes longer counts as failed; it is still drawn when it arrives. */
const LOAD_TIMEOUT_MS = 8000;
/** The number of decoded pictures that are referenced, so that the browser does not discard them. */
const MAX_DECODED = 12;

class Pictures {
  readonly changes = createEmitter();
  private readonly states = new Map<string, Picture | 'loading'>();
  private readonly decoded: HTMLImageElement[] = [];

  /** Fetches a photo once. */
  prefetch(photo: Photo): void {
    if (this.states.has(photo.url)) return;
    this.states.set(photo.url, 'loading');
    void this.load(photo);
  }

  /** Returns the state of a photo; null while it loads. */
  stateOf(photo: Photo): Picture | null {
    const state = this.states.get(photo.url);
    return state === undefined || state === 'loading' ? null : state;
  }

  async load(photo: Photo): Promise<void> {
    const timer = setTimeout(
      () => this.states.get(photo.url) === 'loading' && this.set(photo.url, 'none'),
      LOAD_TIMEOUT_MS,
    );
    try {
      await this.decode(photo.url);
      this.set(photo.url, 'full');
    } catch {
      // The thumbnail may be in the cache.
      await this.decode(photo.thumbUrl).then(
        () => this.set(photo.url, 'thumb'),
        () => this.set(photo.url, 'none'),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  private set(url: string, picture: Picture): void {
    this.states.set(url, picture);
    this.changes.emit();
  }

  private async decode(address: string): Promise<void> {
    const image = new Image();
    image.src = address;
    await image.decode();
    this.decoded.push(image);
    if (this.decoded.length > MAX_DECODED) this.decoded.shift();
  }
}

const picturesOf = part(() => new Pictures());

/** Fetches a photo once. After a failure `usePrefetchedPictures` fetches it again. */
export function prefetchPicture(owner: InSession, photo: Photo | undefined): void {
  if (photo) picturesOf(owner).prefetch(photo);
}

/** Returns the state of a photo; null while it loads. */
export const pictureState = (owner: InSession, photo: Photo): Picture | null =>
  picturesOf(owner).stateOf(photo);

/** Returns the photo with the address that can be drawn: the thumbnail's if only that one is loaded. */
export function useDrawable(photo: Photo | undefined): Photo | undefined {
  const pictures = picturesOf(useSession());
  const isThumb = pictures.changes.useValue(() => photo !== undefined && pictures.stateOf(photo) === 'thumb');
  return photo && isThumb ? { ...photo, url: photo.thumbUrl } : photo;
}

/**
 * Prefetches photos: the first one at once, the others when it is shown and the browser is idle. Renders again when one of
 * the first `drawn` photos is loaded, and not for the others, which would draw the whole deck again for each of them. Those
 * that failed are fetched again (scheduleRetry).
 */
export function usePrefetchedPictures(photos: readonly (Photo | undefined)[], drawn: number): void {
  const pictures = picturesOf(useSession());
  const { changes } = pictures;
  const isFailed = (photo: Photo) => ['none', 'thumb'].includes(pictures.stateOf(photo) ?? '');
  changes.useValue(() =>
    photos
      .slice(0, drawn)
      .map((photo) => photo && pictures.stateOf(photo))
      .join(),
  );
  const failedUrls = changes.useValue(() =>
    photos.flatMap((photo) => (photo && isFailed(photo) ? [photo.url] : [])).join(' '),
  );
  const urls = photos.map((photo) => photo?.url).join(' ');
  const [first, ...others] = photos;
  const isFirstShown = !first || pictures.stateOf(first) !== null;
  const [tries, setTries] = useState(0);
  if (!failedUrls && tries > 0) setTries(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the addresses of the photos matter
  useEffect(() => {
    if (first) pictures.prefetch(first);
    if (isFirstShown)
      void whenIdle().then(() => {
        for (const photo of others) if (photo) pictures.prefetch(photo);
      });
  }, [pictures, urls, isFirstShown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the addresses of the photos matter
  useEffect(() => {
    if (!failedUrls) return;
    return scheduleRetry(tries, () => {
      for (const photo of photos) if (photo && isFailed(photo)) void pictures.load(photo);
      setTries(tries + 1);
    });
  }, [pictures, failedUrls, tries]);
}

/** The thumbnails that this tab has fetched, and whether it is fetching them. */
const thumbsOf = part(() => ({ isStoring: false, stored: new Set<string>() }));

/** Fetches thumbnails one after the other into the service worker's cache, for a deck that works offline. */
export async function storeThumbs(session: InSession, photos: readonly (Photo | undefined)[]): Promise<void> {
  const thumbs = thumbsOf(session);
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  // Without the worker nothing would be cached.
  if (thumbs.isStoring || connection?.saveData || !navigator.serviceWorker?.controller) return;
  thumbs.isStoring = true;
  try {
    for (const photo of photos) {
      if (!photo || thumbs.stored.has(photo.thumbUrl)) continue;
      thumbs.stored.add(photo.thumbUrl);
      await fetch(photo.thumbUrl, { priority: 'low' } as RequestInit);
    }
  } catch {
    // Offline: the stored thumbnails are used.
  } finally {
    thumbs.isStoring = false;
  }
}
