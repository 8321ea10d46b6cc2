import { ApiError } from '@/api/request.ts';
import type { Problem } from '@/api/types.ts';
import { fileName } from '@/media/formats.ts';
import { isAcceptedAsIs, MAX_PICTURE_BYTES, MAX_SIDE_PX, toJpeg } from '@/media/picture.ts';
import type { RecordedClip } from '@/media/recording.ts';

/** The server's limits: what is larger is not sent at all. */
const MB = 1024 * 1024;
const largestRecording = 25 * MB;

const shrinkAboveBytes = 1_500_000;

/** Refused before it travels: a minute's upload that ends in a refusal helps nobody. */
function within(bytes: number, blob: Blob, what: string): void {
  if (blob.size > bytes)
    throw new ApiError(413, 'invalid', `Please choose a ${what} of at most ${bytes / MB} MB.`);
}

export type OnProgress = (share: number) => void;

/** Smaller before it travels; a picture the browser cannot read goes as it is and the server decides. */
async function shrink(file: Blob): Promise<Blob> {
  if (isAcceptedAsIs(file) && file.size <= shrinkAboveBytes) return file;
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const smaller = await toJpeg(bitmap, MAX_SIDE_PX, 0.9);
    bitmap.close();
    return smaller ?? file;
  } catch {
    return file;
  }
}

function refusal(request: XMLHttpRequest): ApiError {
  const problem = (request.response ?? {}) as Partial<Problem>;
  const message = problem.errors?.[0]?.message || problem.detail || 'This could not be saved.';
  return new ApiError(request.status, problem.kind ?? 'internal', message);
}

/** Sends a form; `onProgress` hears shares of 1. Fetch cannot report progress, XMLHttpRequest can. */
function send(method: 'POST' | 'PUT', path: string, body: FormData, onProgress: OnProgress): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.responseType = 'json';
    request.timeout = 180_000;
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(refusal(request));
    };
    request.onerror = request.ontimeout = () =>
      reject(new ApiError(0, 'network', 'This could not be sent. Check your connection and try again.'));
    request.send(body);
  });
}

async function sendPicture(method: 'POST' | 'PUT', path: string, picture: Blob, onProgress: OnProgress) {
  const body = new FormData();
  const smaller = await shrink(picture);
  within(MAX_PICTURE_BYTES, smaller, 'photo');
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

type Recorded = Pick<RecordedClip, 'blob' | 'mimeType' | 'durationMs' | 'waveform' | 'poster'>;

function recordingForm({ blob, mimeType, durationMs, waveform, poster }: Recorded): FormData {
  within(largestRecording, blob, 'recording');
  const body = new FormData();
  body.append('recording', blob, fileName('recording', mimeType));
  body.append('durationMs', String(durationMs));
  body.append('waveform', waveform.join(','));
  if (poster) body.append('poster', poster, 'poster.jpg');
  return body;
}

const greetingPaths = { voice: '/api/users/me/audio-greeting', video: '/api/users/me/video-greeting' };

export const uploadGreeting = async (kind: 'voice' | 'video', take: Recorded, onProgress: OnProgress) =>
  send('PUT', greetingPaths[kind], recordingForm(take), onProgress);

export const uploadGalleryVideo = async (take: Recorded, onProgress: OnProgress) =>
  send('POST', '/api/users/me/gallery-videos', recordingForm(take), onProgress);
