import { ApiError } from '@/api/client.ts';
import type { Photo, Problem } from '@/api/types.ts';

const longestSide = 2048;
const shrinkAboveBytes = 1_500_000;

/** Smaller before it travels; a picture the browser cannot read goes as it is and the server decides. */
async function shrink(file: File): Promise<Blob> {
  if (file.size <= shrinkAboveBytes) return file;
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const smaller = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.9));
    return smaller ?? file;
  } catch {
    return file;
  }
}

function refusal(request: XMLHttpRequest): ApiError {
  const problem = (request.response ?? {}) as Partial<Problem>;
  const message = problem.errors?.[0]?.message || problem.detail || 'The photo could not be saved.';
  return new ApiError(request.status, problem.kind ?? 'internal', message);
}

/** Sends one photo; `onProgress` hears shares of 1. Fetch cannot report progress, XMLHttpRequest can. */
export async function uploadPhoto(file: File, onProgress: (share: number) => void): Promise<Photo> {
  const body = new FormData();
  body.append('photo', await shrink(file), file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/api/users/me/photos');
    request.responseType = 'json';
    request.timeout = 120_000;
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => {
      if (request.status === 201) resolve(request.response as Photo);
      else reject(refusal(request));
    };
    request.onerror = request.ontimeout = () =>
      reject(new ApiError(0, 'network', 'The photo could not be sent. Check your connection and try again.'));
    request.send(body);
  });
}
