import type { ChunkRow } from '@/offline/store/rows.ts';
import { waveformOf } from './levels.ts';
import type { RecordedClip } from './recording.ts';

/** Restores a recording from its stored chunks; null if there are none. */
export function restoreClip(chunks: readonly ChunkRow[]): RecordedClip | null {
  const last = chunks.at(-1);
  if (!last) return null;
  const { mimeType, recordingId } = last;
  const blob = new Blob(
    chunks.map((chunk) => chunk.blob),
    { type: mimeType },
  );
  return {
    blob,
    url: URL.createObjectURL(blob),
    mimeType,
    recordingId,
    durationMs: Math.max(1, ...chunks.map(({ elapsedMs }) => elapsedMs)),
    waveform: waveformOf(chunks.flatMap(({ levels }) => levels)),
    poster: chunks.find(({ poster }) => poster)?.poster ?? null,
  };
}
