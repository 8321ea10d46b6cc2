import { ApiError } from '@/api/request.ts';
import type { Problem } from '@/api/types.ts';
import { fileName } from '@/media/formats.ts';
import { isAcceptedAsIs, MAX_PICTURE_BYTES, MAX_SIDE_PX, toJpeg } from '@/media/picture.ts';
import type { RecordedClip } from '@/media/recording.ts';

/** The server's limits, checked before an upload. */
const MB = 1024 * 1024;
const MAX_RECORDING_BYTES = 25 * MB;

const SHRINK_ABOVE_BYTES = 1_500_000;

/** Throws if a file is too large, before an upload that the server would reject. */
function checkSize(bytes: number, blob: Blob, what: string): void {
  if (blob.size > bytes)
    throw new ApiError(413, 'invalid', `Please choose a ${what} of at most ${bytes / MB} MB.`);
}

export type OnProgress = (share: number) => void;

/** Scales a picture down before the upload. One that the browser cannot decode is sent unchanged. */
async function shrink(file: Blob): Promise<Blob> {
  if (isAcceptedAsIs(file) && file.size <= SHRINK_ABOVE_BYTES) return file;
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const smaller = await toJpeg(bitmap, MAX_SIDE_PX, 0.9);
    bitmap.close();
    return smaller ?? file;
  } catch {
    return file;
  }
}

function errorOf(request: XMLHttpRequest): ApiError {
  const problem = (request.response ?? {}) as Partial<Problem>;
  const message = problem.errors?.[0]?.message || problem.detail || 'This could not be saved.';
  return new ApiError(request.status, problem.kind ?? 'internal', message);
}

/** Sends a form and reports progress from 0 to 1, which XMLHttpRequest can and fetch cannot. */
function send(method: 'POST' | 'PUT', path: string, body: FormData, onProgress: OnProgress): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.responseType = 'json';
    request.timeout = 180_000;
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(errorOf(request));
    };
    request.onerror = request.ontimeout = () =>
      reject(new ApiError(0, 'network', 'This could not be sent. Check your connection and try again.'));
    request.send(body);
  });
}

async function sendPicture(method: 'POST' | 'PUT', path: string, picture: Blob, onProgress: OnProgress) {
  const body = new FormData();
  const smaller = await shrink(picture);
  checkSize(MAX_PICTURE_BYTES, smaller, 'photo');
  body.append('photo', smaller, 'photo.jpg');
  await send(method, path, body, onProgress);
}

export const uploadPhoto = (picture: Blob, onProgress: OnProgress) =>
  sendPicture('POST', '/api/users/me/photos', picture, onProgress);

export const uploadBanner = (picture: Blob, onProgress: OnProgress) =>
  sendPicture('PUT', '/api/users/me/header-banner', picture, onProgress);

export const uploadGalleryImage = (picture: Blob, onProgress: OnProgress) =>
  sendPicture('POST', '/api/users/me/gallery', picture, onProgress);

export const uploadSelfie = (picture: Blob, onProgress: OnProgress) =>
  sendPicture('PUT', '/api/verification/selfie', picture, onProgress);

type UploadedClip = Pick<RecordedClip, 'blob' | 'mimeType' | 'durationMs' | 'waveform' | 'poster'>;

function recordingForm({ blob, mimeType, durationMs, waveform, poster }: UploadedClip): FormData {
  checkSize(MAX_RECORDING_BYTES, blob, 'recording');
  const body = new FormData();
  body.append('recording', blob, fileName('recording', mimeType));
  body.append('durationMs', String(durationMs));
  body.append('waveform', waveform.join(','));
  if (poster) body.append('poster', poster, 'poster.jpg');
  return body;
}

const greetingPaths = { voice: '/api/users/me/audio-greeting', video: '/api/users/me/video-greeting' };

export const uploadGreeting = async (kind: 'voice' | 'video', clip: UploadedClip, onProgress: OnProgress) =>
  send('PUT', greetingPaths[kind], recordingForm(clip), onProgress);

export const uploadGalleryVideo = async (clip: UploadedClip, onProgress: OnProgress) =>
  send('POST', '/api/users/me/gallery-videos', recordingForm(clip), onProgress);
