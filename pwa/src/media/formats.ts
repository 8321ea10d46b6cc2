import type { RecordingKind } from './recording.ts';

/** The formats in order of preference: MP4 plays everywhere; older Firefox and Chrome can only write WebM. */
const formats: Record<RecordingKind, string[]> = {
  voice: ['audio/mp4', 'audio/webm;codecs=opus', 'audio/webm'],
  video: ['video/mp4', 'video/webm;codecs=vp8,opus', 'video/webm'],
};

/** Returns the first format that this browser can write; undefined lets the browser choose. */
export function formatFor(
  kind: RecordingKind,
  canWrite: (type: string) => boolean = (type) => MediaRecorder.isTypeSupported(type),
): string | undefined {
  return formats[kind].find(canWrite);
}
