import Dexie from 'dexie';
import type { HeartwardDb } from './db.ts';

/** The stored chunks of a recording. */
export const chunksOf = (db: HeartwardDb, recordingId: string) =>
  db.chunks.where('[recordingId+index]').between([recordingId, Dexie.minKey], [recordingId, Dexie.maxKey]);

export async function deleteRecording(db: HeartwardDb, recordingId: string): Promise<void> {
  await chunksOf(db, recordingId).delete();
}
