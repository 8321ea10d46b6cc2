import { canvasIsTrue } from './picture.ts';

/** Plays the stream in a detached video element; resolves when it has its first frame. */
async function openVideo(stream: MediaStream): Promise<HTMLVideoElement> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  await video.play();
  return video;
}

const FIRST_FRAME_WAIT_MS = 3000;

/** Waits up to FIRST_FRAME_WAIT_MS for the camera's first frame: a recording started earlier has no picture. */
export async function waitForFirstFrame(stream: MediaStream): Promise<void> {
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, FIRST_FRAME_WAIT_MS));
  const shown = openVideo(stream).then(
    (video) => {
      video.srcObject = null;
    },
    () => undefined,
  );
  await Promise.race([shown, timeout]);
}

/** Returns the camera's current frame as a JPEG; null if there is none, or if the browser falsifies it. */
export async function captureStill(stream: MediaStream): Promise<Blob | null> {
  if (!canvasIsTrue()) return null;
  try {
    const video = await openVideo(stream);
    const canvas = document.createElement('canvas');
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext('2d')?.drawImage(video, 0, 0);
    video.srcObject = null;
    return await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.9));
  } catch {
    return null;
  }
}
