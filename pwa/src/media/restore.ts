import type { ChunkRow } from '@/offline/store/rows.ts';
import { waveformOf } from './levels.ts';
import type { Take } from './recording.ts';

/** The seconds that were kept of a recording, as the recording; null when there are none. */
export function takeOf(chunks: readonly ChunkRow[]): Take | null {
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
