import { ApiError } from '@/api/request.ts';
import type { Recording } from '@/api/types.ts';
import { MAX_PICTURE_BYTES, MAX_SIDE_PX, shrink } from '@/media/picture.ts';
import type { RecordedClip } from '@/media/recording.ts';
import type { Send } from '@/media/useSend.ts';
import { type ProfileFile, sendProfileFile } from '@/offline/outbox/profileFile.ts';

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

export type SendPicture = (picture: Blob, ...sending: Parameters<Send>) => Promise<void>;

/** Returns a function that uploads a picture and then calls the operation with its upload. */
function pictureSender(method: ProfileFile['method'], path: string): SendPicture {
  return async (picture, ...sending) => {
    const bytes = await scaleDown(picture);
    checkSize(MAX_PICTURE_BYTES, bytes, 'photo');
    await sendProfileFile({ method, path, bytes }, ...sending);
  };
}

export const uploadPhoto = pictureSender('POST', '/api/users/me/photos');
export const uploadBanner = pictureSender('PUT', '/api/users/me/header-banner');
export const uploadGalleryImage = pictureSender('POST', '/api/users/me/gallery');
export const uploadSelfie = pictureSender('PUT', '/api/verification/selfie');

type UploadedClip = Pick<RecordedClip, 'blob' | 'durationMs' | 'waveform' | 'poster'>;
type SendClip = (clip: UploadedClip, ...sending: Parameters<Send>) => Promise<void>;

/** Returns a function that uploads a recording and its poster and then calls the operation with them. */
function clipSender(method: ProfileFile['method'], path: string): SendClip {
  return async ({ blob, durationMs, waveform, poster }, ...sending) => {
    checkSize(MAX_RECORDING_BYTES, blob, 'recording');
    await sendProfileFile(
      { method, path, bytes: blob, poster, recorded: { durationMs, waveform } },
      ...sending,
    );
  };
}

const greetingSenders = {
  voice: clipSender('PUT', '/api/users/me/audio-greeting'),
  video: clipSender('PUT', '/api/users/me/video-greeting'),
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
      path: '/api/users/me/prompts/voice',
      bytes: blob,
      recorded: { durationMs, waveform },
      question,
    },
    ...sending,
  );
}

export const uploadGalleryVideo = clipSender('POST', '/api/users/me/gallery-videos');
