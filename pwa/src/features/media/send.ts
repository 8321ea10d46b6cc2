import { v7 as uuidv7 } from 'uuid';
import type { Take } from '@/media/recording.ts';
import { enqueue, type NewFile } from '@/offline/outbox/outbox.ts';
import { chunkStore } from '@/offline/store/recordings.ts';
import type { ConversationRow, LocalAttachment } from '@/offline/store/rows.ts';
import { type Picture, shadowOf } from './pictures.ts';

/** What is handed to a demonstration's transport instead of the outbox. */
export type Delivery =
  | { kind: 'voice' | 'video'; take: Take }
  | { kind: 'pictures'; pictures: Picture[]; caption: string };

export type Recipient = Pick<ConversationRow, 'id' | 'userId'> & {
  /** Only where nothing is really sent; then nothing is kept on the device either. */
  deliver?: (delivery: Delivery) => Promise<void>;
  /** The message that is answered, as it stands when something goes; then it is no longer. */
  replyTarget?: { seq: () => number | null; sent: () => void };
};

type Words = { userId: string; text: string };

/** Looks at words while they are written, and says whether they may go: false when the writer thought again. */
export type Filter = { onInput: (words: Words) => void; confirmSend: (words: Words) => Promise<boolean> };

/** Stored first, like every message; it travels when it can. */
async function send(
  { id, userId, replyTarget }: Recipient,
  content: string,
  files: NewFile[],
): Promise<void> {
  const replyTo = replyTarget?.seq() ?? undefined;
  await enqueue({ kind: 'message', conversationId: id, recipientId: userId, content, files, replyTo });
  replyTarget?.sent();
}

export async function sendTake(to: Recipient, kind: 'voice' | 'video', take: Take): Promise<void> {
  if (to.deliver) return to.deliver({ kind, take });
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
  if (to.deliver) return to.deliver({ kind: 'pictures', pictures, caption: caption.trim() });
  await send(
    to,
    caption.trim(),
    pictures.map(({ url: _, ...picture }) => picture),
  );
}

/** Keeps each second of a recording for this conversation, so that a crash loses no more than the last. */
export const keepFor = (to: Recipient) => (to.deliver ? undefined : () => chunkStore(to.id, uuidv7()));

type Look = Pick<LocalAttachment, 'width' | 'height' | 'placeholder'>;

/** The shape of a video is that of its still. */
async function lookOf(poster: Blob | null): Promise<Look> {
  const bitmap = poster && (await createImageBitmap(poster).catch(() => null));
  if (!bitmap) return { width: null, height: null, placeholder: '' };
  const look = { width: bitmap.width, height: bitmap.height, placeholder: shadowOf(bitmap) };
  bitmap.close();
  return look;
}
