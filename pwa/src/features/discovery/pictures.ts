/**
 * The photos of the cards to come: fetched and decoded before their card is shown, so that no card appears
 * without its picture. The service worker keeps what is fetched for reading offline.
 */
import { useEffect } from 'react';
import type { Photo } from '@/api/types.ts';
import { createStore } from '@/ui';

/** 'full' and 'thumb' can be drawn at once; 'none' could not be had, and its blurred shadow must do. */
export type Picture = 'full' | 'thumb' | 'none';

/** After so long a picture counts as not to be had; it still takes its place when it arrives. */
const PATIENCE_MS = 8000;
/** Decoded pictures that are held, so that the browser does not throw them away before they are drawn. */
const HELD = 12;

const pictures = new Map<string, Picture | 'loading'>();
const held: HTMLImageElement[] = [];
/** Counts the changes of `pictures`. */
const version = createStore(0);

function note(url: string, picture: Picture): void {
  pictures.set(url, picture);
  version.set(version.get() + 1);
}

async function decode(address: string): Promise<void> {
  const image = new Image();
  image.src = address;
  await image.decode();
  held.push(image);
  if (held.length > HELD) held.shift();
}

async function load(photo: Photo): Promise<void> {
  const timer = setTimeout(
    () => pictures.get(photo.url) === 'loading' && note(photo.url, 'none'),
    PATIENCE_MS,
  );
  try {
    await decode(photo.url);
    note(photo.url, 'full');
  } catch {
    // The grid may have brought the small one.
    await decode(photo.thumbUrl).then(
      () => note(photo.url, 'thumb'),
      () => note(photo.url, 'none'),
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Fetches a photo once; what could not be had is asked for again when the network is back. */
export function wantPicture(photo: Photo | undefined): void {
  if (!photo || pictures.has(photo.url)) return;
  pictures.set(photo.url, 'loading');
  void load(photo);
}

/** Null while the photo is on its way. */
export function pictureOf(photo: Photo): Picture | null {
  const known = pictures.get(photo.url);
  return known === undefined || known === 'loading' ? null : known;
}

/** The address that is sure to be drawn: where only the small picture is on the device, that one. */
export function drawable(photo: Photo): Photo {
  return pictureOf(photo) === 'thumb' ? { ...photo, url: photo.thumbUrl } : photo;
}

/** Wants these photos, and draws again when one of them has come. */
export function usePictures(photos: readonly (Photo | undefined)[]): void {
  version.useValue();
  const urls = photos.map((photo) => photo?.url).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the addresses say all that matters of the photos
  useEffect(() => {
    for (const photo of photos) wantPicture(photo);
  }, [urls]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the addresses say all that matters of the photos
  useEffect(() => {
    const again = () => {
      for (const photo of photos) if (photo && pictures.get(photo.url) !== 'full') void load(photo);
    };
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [urls]);
}

let warming = false;

/** Fetches the small pictures of everybody further back, one after the other, for a deck that works offline. */
export async function warm(photos: readonly (Photo | undefined)[]): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  // Without the worker nothing would be kept.
  if (warming || connection?.saveData || !navigator.serviceWorker?.controller) return;
  warming = true;
  try {
    for (const photo of photos) {
      if (!photo || warmed.has(photo.thumbUrl)) continue;
      warmed.add(photo.thumbUrl);
      await fetch(photo.thumbUrl, { priority: 'low' } as RequestInit);
    }
  } catch {
    // No network: what is on the device must do.
  } finally {
    warming = false;
  }
}
const warmed = new Set<string>();
