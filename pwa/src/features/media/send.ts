import { v7 as uuidv7 } from 'uuid';
import type { RecordedClip } from '@/media/recording.ts';
import { enqueue, type NewFile } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { createChunkStore } from '@/offline/store/recordings.ts';
import type { ConversationRow, LocalAttachment } from '@/offline/store/rows.ts';
import { type ImageInfo, type Picture, placeholderOf } from './sentPictures.ts';

/** What the demo's transport gets in place of a message for the outbox. */
export type Delivery =
  | { kind: 'voice' | 'video'; clip: RecordedClip }
  | { kind: 'pictures'; pictures: Picture[]; caption: string };

export type Recipient = Pick<ConversationRow, 'id' | 'userId'> & {
  /** The demo's transport. With it, nothing is stored on the device. */
  deliver?: (delivery: Delivery) => Promise<void>;
  /** The message to reply to, read when media are sent; `sent` ends the reply. */
  replyTarget?: { seq: () => number | null; sent: () => void };
};

/** Stores a message in the outbox. */
async function send(
  db: HeartwardDb,
  { id, userId, replyTarget }: Recipient,
  content: string,
  files: NewFile[],
): Promise<void> {
  const replyTo = replyTarget?.seq() ?? undefined;
  await enqueue(db, { kind: 'message', conversationId: id, recipientId: userId, content, files, replyTo });
  replyTarget?.sent();
}

export async function sendClip(
  db: HeartwardDb,
  to: Recipient,
  kind: 'voice' | 'video',
  clip: RecordedClip,
): Promise<void> {
  if (to.deliver) return to.deliver({ kind, clip });
  const { blob, poster, mimeType, durationMs, waveform, recordingId } = clip;
  const file: LocalAttachment = {
    ...(await describePoster(poster)),
    localId: uuidv7(),
    kind: kind === 'voice' ? 'audio' : 'video',
    mimeType,
    bytes: blob.size,
    durationMs,
    waveform,
  };
  await send(db, to, '', [{ file, blob, poster, recordingId }]);
}

export async function sendPictures(
  db: HeartwardDb,
  to: Recipient,
  pictures: Picture[],
  caption: string,
): Promise<void> {
  if (to.deliver) return to.deliver({ kind: 'pictures', pictures, caption: caption.trim() });
  await send(
    db,
    to,
    caption.trim(),
    pictures.map(({ url: _, ...picture }) => picture),
  );
}

/** Returns a function that opens a store for the seconds of a recording, so that a crash loses at most one. */
export const chunkStoreFor = (db: HeartwardDb, to: Recipient) =>
  to.deliver ? undefined : () => createChunkStore(db, to.id, uuidv7());

/** Returns size and placeholder of a video, from its poster. */
async function describePoster(poster: Blob | null): Promise<ImageInfo> {
  const bitmap = poster && (await createImageBitmap(poster).catch(() => null));
  if (!bitmap) return { width: null, height: null, placeholder: '' };
  const info = { width: bitmap.width, height: bitmap.height, placeholder: placeholderOf(bitmap) };
  bitmap.close();
  return info;
}
