import { ApiError } from '@/api/request.ts';
import type { Recording } from '@/api/types.ts';
import { MAX_PICTURE_BYTES, MAX_SIDE_PX, shrink } from '@/media/picture.ts';
import type { RecordedClip } from '@/media/recording.ts';
import type { Send } from '@/media/useSend.ts';
import {
  type ProfileFile,
  readProfileFile,
  sendProfileFile,
  storeScaled,
} from '@/offline/outbox/profileFile.ts';
import { getDb } from '@/offline/store/db.ts';

/** The server's limits, checked before an upload. */
const MB = 1024 * 1024;
const MAX_RECORDING_BYTES = 25 * MB;

const JPEG_QUALITY = 0.9;

/** Throws if a file is too large, before an upload that the server would reject. */
function checkSize(bytes: number, blob: Blob, what: string): void {
  if (blob.size > bytes)
    throw new ApiError(413, 'invalid', `Please choose a ${what} of at most ${bytes / MB} MB.`);
}

/** Scales a picture down before the upload. One that the browser cannot decode is sent unchanged. */
async function scaleDown(file: Blob): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const smaller = await shrink(file, bitmap, MAX_SIDE_PX, JPEG_QUALITY);
    bitmap.close();
    return smaller;
  } catch {
    return file;
  }
}

async function scaleAndCheck(picture: Blob): Promise<Blob> {
  const bytes = await scaleDown(picture);
  checkSize(MAX_PICTURE_BYTES, bytes, 'photo');
  return bytes;
}

/** The operations that add a picture to a part of the profile. */
export const pictureTargets = {
  photos: { method: 'POST', path: '/api/users/me/photos' },
  banner: { method: 'PUT', path: '/api/users/me/header-banner' },
  gallery: { method: 'POST', path: '/api/users/me/gallery' },
} as const;
export type PictureTarget = keyof typeof pictureTargets;

/** Scales a stored picture down, once: its upload continues with the same bytes. Throws if it stays too large. */
export async function preparePicture(id: string): Promise<void> {
  const db = getDb();
  const stored = await readProfileFile(db, id);
  if (!stored || (await db.profileUploads.get(id))?.isScaled) return;
  const bytes = await scaleAndCheck(stored.bytes);
  if (bytes === stored.bytes) await db.profileUploads.update(id, { isScaled: true });
  else await storeScaled(id, bytes);
}

export async function uploadSelfie(picture: Blob, ...sending: Parameters<Send>): Promise<void> {
  const bytes = await scaleAndCheck(picture);
  await sendProfileFile({ method: 'PUT', path: '/api/verification/selfie', bytes }, ...sending);
}

type UploadedClip = Pick<RecordedClip, 'blob' | 'durationMs' | 'waveform' | 'poster'>;
type SendClip = (clip: UploadedClip, ...sending: Parameters<Send>) => Promise<void>;

/**
 * Returns a function that uploads a recording and its poster and then calls the operation with them; with `chosen` it is
 * a video file of the device.
 */
function clipSender(method: ProfileFile['method'], path: string, chosen?: { chosen: true }): SendClip {
  return async ({ blob, durationMs, waveform, poster }, ...sending) => {
    checkSize(MAX_RECORDING_BYTES, blob, 'recording');
    await sendProfileFile(
      { method, path, bytes: blob, poster, recorded: { durationMs, waveform, ...chosen } },
      ...sending,
    );
  };
}

/** The operations that store a recording in the profile. */
export const recordingPaths = {
  voice: '/api/users/me/audio-greeting',
  video: '/api/users/me/video-greeting',
  answer: '/api/users/me/prompts/voice',
  galleryVideo: '/api/users/me/gallery-videos',
} as const;

const greetingSenders = {
  voice: clipSender('PUT', recordingPaths.voice),
  video: clipSender('PUT', recordingPaths.video),
};

export const uploadGreeting = (kind: 'voice' | 'video', ...sending: Parameters<SendClip>): Promise<void> =>
  greetingSenders[kind](...sending);

/** Uploads a recorded answer to a question, which is then one of the member's prompts. Returns the stored recording. */
export async function uploadPromptVoice(
  question: string,
  { blob, durationMs, waveform }: UploadedClip,
  ...sending: Parameters<Send>
): Promise<Recording> {
  return sendProfileFile(
    {
      method: 'PUT',
      path: recordingPaths.answer,
      bytes: blob,
      recorded: { durationMs, waveform },
      question,
    },
    ...sending,
  );
}

export const uploadGalleryVideo = clipSender('POST', recordingPaths.galleryVideo);
export const uploadChosenVideo = clipSender('POST', recordingPaths.galleryVideo, { chosen: true });
