/** A recording as it is shown and played; the server's responses have this shape. */
export type Playable = {
  url: string;
  mimeType: string;
  /** Measured while recording, because files recorded by a browser have no duration. */
  durationMs: number;
  /** Up to 64 loudness values from 0 to 100, drawn before the file is fetched. */
  waveform: number[];
  posterUrl?: string | null;
  /** The MP4 copy that every browser plays; null if there is none. If undefined, it is derived from `url`. */
  fallbackUrl?: string | null;
  /** A description by its author. */
  caption?: string;
};

/** A recording made on this device and not sent yet. */
export type RecordedClip = Playable & {
  blob: Blob;
  /** The poster of a video. */
  poster: Blob | null;
  /** The id of its stored chunks, until it is sent or discarded. */
  recordingId?: string;
};

export type RecordingKind = 'voice' | 'video';

/** The maximum duration of each kind. */
export const MAX_DURATION_MS: Record<RecordingKind, number> = { voice: 60_000, video: 30_000 };
