import type { RecordingKind } from './recording.ts';

/** In the order to be tried: MP4 plays everywhere, WebM is what older Firefox and Chrome can write. */
const formats: Record<RecordingKind, string[]> = {
  voice: ['audio/mp4', 'audio/webm;codecs=opus', 'audio/webm'],
  video: ['video/mp4', 'video/webm;codecs=vp8,opus', 'video/webm'],
};

/** The first format that this browser can write; undefined lets the browser choose. */
export function formatFor(
  kind: RecordingKind,
  canWrite: (type: string) => boolean = (type) => MediaRecorder.isTypeSupported(type),
): string | undefined {
  return formats[kind].find(canWrite);
}

/** "greeting.mp4": a name for the file, whose ending says what it is. */
export function fileName(base: string, mimeType: string): string {
  return `${base}.${mimeType.includes('mp4') ? 'mp4' : 'webm'}`;
}
