import { MemberError } from '@/api/errors.ts';
import { canvasIsTrue } from '@/media/picture.ts';
import type { RecordedClip } from '@/media/recording.ts';
import { MAX_DURATION_MS } from '@/media/recording.ts';

/**
 * Reads a video file: its duration, 0 if the browser does not know it, and a poster. A video that this browser cannot decode
 * has neither: the server converts it, or says why not. The message of an error is for the member.
 */
export async function readVideo(file: File): Promise<Omit<RecordedClip, 'url'>> {
  const url = URL.createObjectURL(file);
  try {
    const video = await load(url);
    if (!video) {
      if (!file.type.startsWith('video/'))
        throw new MemberError("This file isn't a video. Please choose another.");
      return { blob: file, mimeType: file.type, durationMs: 0, waveform: [], poster: null };
    }
    // A recorded file may state no duration (Infinity). The server measures it.
    const durationMs = Number.isFinite(video.duration) ? Math.round(video.duration * 1000) : 0;
    if (durationMs > MAX_DURATION_MS.video + 999)
      throw new MemberError('Please choose a video of at most 30 seconds.');
    const poster = await capturePoster(video);
    return {
      blob: file,
      mimeType: file.type,
      durationMs: Math.min(durationMs, MAX_DURATION_MS.video),
      waveform: [],
      poster,
    };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Returns the video, or null if the browser cannot decode it. */
function load(url: string): Promise<HTMLVideoElement | null> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  video.src = url;
  return new Promise((resolve) => {
    video.onloadeddata = () => resolve(video);
    video.onerror = () => resolve(null);
  });
}

async function capturePoster(video: HTMLVideoElement): Promise<Blob | null> {
  if (!canvasIsTrue()) return null;
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.85));
}
