import { v7 as uuidv7 } from 'uuid';
import type { Take } from '@/media/recording.ts';
import { enqueue, type NewFile } from '@/offline/outbox.ts';
import type { ConversationRow, LocalAttachment } from '@/offline/rows.ts';
import { type Picture, shadowOf } from './pictures.ts';

export type Recipient = Pick<ConversationRow, 'id' | 'userId'>;

/** Stored first, like every message; it travels when it can. */
const send = (to: Recipient, content: string, files: NewFile[]) =>
  enqueue({ kind: 'message', conversationId: to.id, recipientId: to.userId, content, files });

export async function sendTake(to: Recipient, kind: 'voice' | 'video', take: Take): Promise<void> {
  const { blob, poster, mimeType, durationMs, waveform, recordingId } = take;
  const file: LocalAttachment = {
    ...(await lookOf(poster)),
    localId: uuidv7(),
    kind: kind === 'voice' ? 'audio' : 'video',
    mimeType,
    bytes: blob.size,
    durationMs,
    waveform,
  };
  await send(to, '', [{ file, blob, poster, recordingId }]);
}

export async function sendPictures(to: Recipient, pictures: Picture[], caption: string): Promise<void> {
  await send(
    to,
    caption.trim(),
    pictures.map(({ url: _, ...picture }) => picture),
  );
}

type Look = Pick<LocalAttachment, 'width' | 'height' | 'placeholder'>;

/** The shape of a video is that of its still. */
async function lookOf(poster: Blob | null): Promise<Look> {
  const bitmap = poster && (await createImageBitmap(poster).catch(() => null));
  if (!bitmap) return { width: null, height: null, placeholder: '' };
  const look = { width: bitmap.width, height: bitmap.height, placeholder: shadowOf(bitmap) };
  bitmap.close();
  return look;
}
