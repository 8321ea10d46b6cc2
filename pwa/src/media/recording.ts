/** A recording as it is shown and played; the server's answers have this shape. */
export type Playable = {
  url: string;
  mimeType: string;
  /** Measured while it was made: a browser's own recordings do not tell their length. */
  durationMs: number;
  /** Up to 64 loudnesses of 0 to 100, so that it is drawn before it is fetched. */
  waveform: number[];
  posterUrl?: string | null;
  /** The same in a format that every browser plays, where the server has made one; without it, it is looked for beside url. */
  fallbackUrl?: string | null;
  /** What is said or shown, in the words of whoever made it. */
  caption?: string;
};

/** A recording just made on this device, not sent yet. */
export type Take = Playable & {
  blob: Blob;
  /** A still of a video. */
  poster: Blob | null;
  /** Under which its seconds are kept on this device until it is sent or discarded. */
  recordingId?: string;
};

export type RecordingKind = 'voice' | 'video';

/** The longest recording of each kind. */
export const longestMs: Record<RecordingKind, number> = { voice: 60_000, video: 30_000 };
