import type { Recording } from '@/api/types.ts';
import { checkSize, MB } from '@/domain/profile/scaleForUpload.ts';
import type { RecordedClip } from '@/media/recording.ts';
import type { Send } from '@/media/useSend.ts';
import { sendProfileFile } from '@/offline/outbox/profileFile.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { ProfileFileDetails } from '@/offline/store/rows.ts';

/** The server's limit, checked before an upload. */
const MAX_RECORDING_BYTES = 25 * MB;

/** The operations that add a picture to a part of the profile. */
export const pictureTargets = {
  photos: { method: 'POST', path: '/api/users/me/photos' },
  banner: { method: 'PUT', path: '/api/users/me/header-banner' },
  gallery: { method: 'POST', path: '/api/users/me/gallery' },
} as const;
export type PictureTarget = keyof typeof pictureTargets;

type UploadedClip = Pick<RecordedClip, 'blob' | 'durationMs' | 'waveform' | 'poster'>;
type SendClip = (db: HeartwardDb, clip: UploadedClip, ...sending: Parameters<Send>) => Promise<void>;

/**
 * Returns a function that uploads a recording and its poster and then calls the operation with them; with `chosen` it is
 * a video file of the device.
 */
function clipSender(method: ProfileFileDetails['method'], path: string, chosen?: { chosen: true }): SendClip {
  return async (db, { blob, durationMs, waveform, poster }, ...sending) => {
    checkSize(MAX_RECORDING_BYTES, blob, 'recording');
    await sendProfileFile(
      db,
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

/**
 * Uploads a recorded answer to a question, which is then one of the member's prompts. Returns the stored recording;
 * undefined if this tab has missed the response.
 */
export async function uploadPromptVoice(
  db: HeartwardDb,
  question: string,
  { blob, durationMs, waveform }: UploadedClip,
  ...sending: Parameters<Send>
): Promise<Recording | undefined> {
  return sendProfileFile(
    db,
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
