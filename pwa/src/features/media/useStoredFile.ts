import { useEffect, useState } from 'react';
import type { Attachment } from '@/api/types.ts';
import type { Playable } from '@/media/recording.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { readFile, storeDownloadedFile } from '@/offline/store/files.ts';

export type StoredFile =
  | { state: 'loading' | 'none' }
  | { state: 'stored'; url: string; mimeType: string; posterUrl: string | null };

/**
 * Returns the file's bytes on this device. They are read once: the source must not change while it plays, although the
 * id changes when the file is sent.
 */
export function useStoredFile({ id }: Attachment, enabled = true): StoredFile {
  const db = useDb();
  const [stored, setStored] = useState<StoredFile>({ state: enabled ? 'loading' : 'none' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new id names the same bytes
  useEffect(() => {
    if (!enabled) return;
    let unmounted = false;
    const urls: string[] = [];
    const createUrl = (blob: Blob) => {
      const url = URL.createObjectURL(blob);
      urls.push(url);
      return url;
    };
    readFile(db, id).then(
      (row) => {
        if (unmounted) return;
        if (!row) setStored({ state: 'none' });
        else
          setStored({
            state: 'stored',
            url: createUrl(row.blob),
            mimeType: row.blob.type,
            posterUrl: row.poster && createUrl(row.poster),
          });
      },
      () => !unmounted && setStored({ state: 'none' }),
    );
    return () => {
      unmounted = true;
      for (const url of urls) URL.revokeObjectURL(url);
    };
  }, []);
  return stored;
}

/** Returns the sources of a file: the bytes on this device if there are any, and the server's MP4 copy. */
export function playableOf(file: Attachment, stored: StoredFile): Playable {
  const { mimeType, waveform, posterUrl } = file;
  const common = {
    durationMs: file.durationMs ?? 0,
    waveform,
    // A file in the outbox is only on this device.
    fallbackUrl: file.url ? `${file.url}.mp4` : null,
  };
  if (stored.state !== 'stored') return { ...common, url: file.url, mimeType, posterUrl };
  // The stored bytes may be the MP4 copy, so their own type counts.
  return {
    ...common,
    url: stored.url,
    mimeType: stored.mimeType || mimeType,
    posterUrl: stored.posterUrl ?? posterUrl,
  };
}

/** Fetches the whole file and stores it. No other cache has files of messages. */
export async function storeForOffline(
  db: HeartwardDb,
  id: string,
  conversationId: string,
  url: string,
): Promise<void> {
  const response = await fetch(url);
  if (response.status === 200)
    await storeDownloadedFile(db, { id, conversationId, blob: await response.blob() });
}
