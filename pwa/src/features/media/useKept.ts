import { useEffect, useState } from 'react';
import type { Attachment } from '@/api/types.ts';
import type { Playable } from '@/media/recording.ts';
import { getDb } from '@/offline/store/db.ts';
import { readFile, storeHeard } from '@/offline/store/files.ts';

export type Kept =
  | { state: 'looking' | 'none' }
  | { state: 'kept'; url: string; mimeType: string; posterUrl: string | null };

/**
 * What this device has of a file. Looked up once: what plays must not change its source when it is sent or kept
 * meanwhile, although its number does.
 */
export function useKept({ id }: Attachment, wanted = true): Kept {
  const [kept, setKept] = useState<Kept>({ state: wanted ? 'looking' : 'none' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same bytes under another number
  useEffect(() => {
    if (!wanted) return;
    let left = false;
    const urls: string[] = [];
    const urlOf = (blob: Blob) => {
      const url = URL.createObjectURL(blob);
      urls.push(url);
      return url;
    };
    readFile(getDb(), id).then(
      (row) => {
        if (left) return;
        if (!row) setKept({ state: 'none' });
        else
          setKept({
            state: 'kept',
            url: urlOf(row.blob),
            mimeType: row.blob.type,
            posterUrl: row.poster && urlOf(row.poster),
          });
      },
      () => !left && setKept({ state: 'none' }),
    );
    return () => {
      left = true;
      for (const url of urls) URL.revokeObjectURL(url);
    };
  }, []);
  return kept;
}

/** What plays a file: the bytes on this device where there are any, or the server's copy that plays everywhere. */
export function playableOf(file: Attachment, kept: Kept): Playable {
  const { mimeType, waveform, posterUrl } = file;
  const known = {
    durationMs: file.durationMs ?? 0,
    waveform,
    // One that waits to be sent is nowhere else yet.
    fallbackUrl: file.url ? `${file.url}.mp4` : null,
  };
  if (kept.state !== 'kept') return { ...known, url: file.url, mimeType, posterUrl };
  // It may be the copy that is kept: the bytes know what they are.
  return {
    ...known,
    url: kept.url,
    mimeType: kept.mimeType || mimeType,
    posterUrl: kept.posterUrl ?? posterUrl,
  };
}

/** Fetches the whole file, mostly from what the browser has just played, and keeps it. */
export async function keepForOffline(id: string, conversationId: string, url: string): Promise<void> {
  const response = await fetch(url);
  if (response.status === 200) await storeHeard(getDb(), { id, conversationId, blob: await response.blob() });
}
