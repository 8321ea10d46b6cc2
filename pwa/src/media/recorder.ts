import { createStore } from '@/base/store.ts';
import type { ChunkStore } from '@/offline/store/recordings.ts';
import { pauseCurrent } from './exclusivePlayback.ts';
import { formatFor } from './formats.ts';
import { waveformOf } from './levels.ts';
import { meter } from './meter.ts';
import { MAX_DURATION_MS, type RecordedClip, type RecordingKind } from './recording.ts';
import { captureStill, waitForFirstFrame } from './still.ts';

/** Why recording failed: permission denied, no device, a browser that cannot record, or an error of it. */
export type Problem = 'denied' | 'missing' | 'unsupported' | 'failed';

export type RecorderState = {
  status: 'idle' | 'asking' | 'recording' | 'recorded';
  elapsedMs: number;
  /** The most recent loudness values, newest last. */
  levels: number[];
  /** The stream of the camera or microphone while it is on. */
  stream: MediaStream | null;
  clip: RecordedClip | null;
  problem: Problem | null;
};

const idle: RecorderState = {
  status: 'idle',
  elapsedMs: 0,
  levels: [],
  stream: null,
  clip: null,
  problem: null,
};

const constraints: Record<RecordingKind, MediaStreamConstraints> = {
  voice: { audio: { echoCancellation: true, noiseSuppression: true } },
  video: {
    audio: { echoCancellation: true, noiseSuppression: true },
    video: { facingMode: 'user', width: { ideal: 720 }, height: { ideal: 900 }, frameRate: { max: 30 } },
  },
};

const HIGH_QUALITY: MediaRecorderOptions = { audioBitsPerSecond: 64_000, videoBitsPerSecond: 1_800_000 };
/** For small files; speech stays clear and faces recognisable. */
const LOW_QUALITY: MediaRecorderOptions = { audioBitsPerSecond: 24_000, videoBitsPerSecond: 700_000 };

export type RecorderOptions = {
  /** Opens the store of the recording's chunks, of a second each. Without it a crash loses the whole recording. */
  openChunkStore?: () => ChunkStore;
  lowQuality?: boolean;
  /** A shorter maximum than that of the kind. */
  maxDurationMs?: number;
};

/** The duration of a chunk, which is the most that a crash loses. */
const CHUNK_MS = 1000;
const LEVELS_SHOWN = 40;

function problemOf(error: unknown): Problem {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  if (name === 'NotSupportedError') return 'unsupported';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'missing' : 'failed';
}

/** Calls `stop` when the track has no more sound or picture. Returns a function that ends this. */
function onLoss(track: MediaStreamTrack, stop: () => void): () => void {
  // A camera is muted for moments, as while it turns.
  const events = track.kind === 'video' ? (['ended'] as const) : (['mute', 'ended'] as const);
  for (const event of events) track.addEventListener(event, stop);
  return () => {
    for (const event of events) track.removeEventListener(event, stop);
  };
}

/** A recording in progress. */
type Session = {
  writer: MediaRecorder;
  chunks: Blob[];
  levels: number[];
  startedAt: number;
  poster: Promise<Blob | null> | null;
  /** The poster, until it is stored with a chunk. */
  unstoredPoster: Blob | null;
  store: ChunkStore | null;
  /** The number of levels already stored with chunks. */
  levelsStored: number;
  /** Settles once all chunks are stored. */
  storing: Promise<unknown>;
  end: () => void;
};

/**
 * Records from the microphone or camera to a blob; components use `useRecorder`. It stops at the maximum
 * duration, when the page is hidden, because a phone then ends the access to the microphone, and when a call or another
 * program takes the device: what follows would be silence.
 */
export class Recorder {
  private readonly state = createStore(idle);
  private session: Session | null = null;
  private attempt = 0;
  /** The opened device before the recording starts. */
  private opened: Promise<MediaStream> | null = null;
  /** The store of the recording in progress or in review. */
  private store: ChunkStore | null = null;

  constructor(
    private readonly kind: RecordingKind,
    private readonly options: RecorderOptions = {},
  ) {}

  readonly snapshot = this.state.get;
  readonly useSnapshot = this.state.useValue;

  readonly start = async (): Promise<void> => {
    if (this.state.get().status !== 'idle') return;
    pauseCurrent();
    this.attempt += 1;
    const attempt = this.attempt;
    this.state.set({ ...idle, status: 'asking', stream: this.state.get().stream });
    try {
      const stream = await this.open();
      if (attempt !== this.attempt) return;
      this.opened = null;
      this.startWriter(stream);
    } catch (error) {
      if (attempt === this.attempt) this.fail(error);
    }
  };

  /** Turns the camera on before the recording, so that the member sees its picture first. */
  readonly preview = async (): Promise<void> => {
    if (this.state.get().status !== 'idle') return;
    const { attempt } = this;
    try {
      const stream = await this.open();
      if (attempt === this.attempt) this.state.set({ ...idle, stream });
    } catch (error) {
      if (attempt === this.attempt) this.fail(error);
    }
  };

  /** Turns the camera off, unless a recording has started. */
  readonly endPreview = (): void => {
    if (this.state.get().status === 'idle' && this.opened) this.leave();
  };

  private fail(error: unknown): void {
    this.opened = null;
    this.state.set({ ...idle, problem: problemOf(error) });
  }

  /** Opens the device, once for the preview and the recording. */
  private open(): Promise<MediaStream> {
    this.opened ??= openDevice(this.kind);
    return this.opened;
  }

  readonly stop = (): void => {
    if (this.session?.writer.state === 'recording') this.session.writer.stop();
  };

  /** Returns to idle and deletes the recording. */
  readonly discard = (): void => {
    const { store } = this;
    this.leave();
    void store?.remove();
  };

  /** Returns to idle; the stored chunks stay, and the recording may be offered again. */
  readonly leave = (): void => {
    this.attempt += 1;
    const session = this.session;
    this.session = null;
    session?.end();
    this.opened?.then(release, () => undefined);
    this.opened = null;
    this.store?.release();
    this.store = null;
    const { clip } = this.state.get();
    if (clip) URL.revokeObjectURL(clip.url);
    this.state.set(idle);
  };

  private startWriter(stream: MediaStream): void {
    this.store = this.options.openChunkStore?.() ?? null;
    const session = this.openSession(
      stream,
      newWriter(stream, this.kind, this.options.lowQuality ? LOW_QUALITY : HIGH_QUALITY),
    );
    this.session = session;
    const { writer } = session;
    writer.ondataavailable = ({ data }) => {
      if (data.size > 0) this.storeChunk(session, data);
      // Once, with the first chunk.
      if (this.kind === 'video') session.poster ??= capturePoster(session, stream);
    };
    writer.onstart = () => {
      session.startedAt = performance.now();
    };
    writer.onstop = () => void this.finish(session);
    try {
      writer.start(CHUNK_MS);
    } catch (error) {
      session.end();
      throw error;
    }
    this.state.set({ ...idle, status: 'recording', stream });
  }

  private storeChunk(session: Session, data: Blob): void {
    const index = session.chunks.push(data) - 1;
    const levels = session.levels.slice(session.levelsStored);
    session.levelsStored = session.levels.length;
    const elapsedMs = this.durationOf(session);
    const mimeType = session.writer.mimeType;
    // The poster is stored with the first chunk after it was captured; no chunk waits for it.
    const poster = session.unstoredPoster;
    session.unstoredPoster = null;
    const chunk = { index, kind: this.kind, mimeType, blob: data, elapsedMs, levels, poster };
    // Recording continues if the device cannot store the chunk.
    const stored = Promise.resolve(session.store?.add(chunk)).catch((error) =>
      console.warn('A chunk of the recording could not be stored', error),
    );
    session.storing = Promise.all([session.storing, stored]);
  }

  /** Starts the timers and listeners of a session, whose `end` stops them all. */
  private openSession(stream: MediaStream, writer: MediaRecorder): Session {
    const stopIfHidden = () => document.visibilityState === 'hidden' && this.stop();
    let cleanups: (() => void)[] = [() => release(stream)];
    const session: Session = {
      writer,
      chunks: [],
      levels: [],
      startedAt: performance.now(),
      poster: null,
      unstoredPoster: null,
      store: this.store,
      levelsStored: 0,
      storing: Promise.resolve(),
      end() {
        for (const end of cleanups) end();
        cleanups = [];
      },
    };
    const limit = setTimeout(this.stop, this.maxDurationMs());
    const tick = setInterval(() => this.tick(session), 100);
    document.addEventListener('visibilitychange', stopIfHidden);
    cleanups.push(
      ...stream.getTracks().map((track) => onLoss(track, this.stop)),
      () => clearTimeout(limit),
      () => clearInterval(tick),
      () => document.removeEventListener('visibilitychange', stopIfHidden),
      this.startMeter(stream, session),
    );
    return session;
  }

  /** Measures the loudness. Without a meter the recording works, and its waveform is flat. */
  private startMeter(stream: MediaStream, session: Session): () => void {
    try {
      return meter(stream, (level) => session.levels.push(level));
    } catch {
      return () => undefined;
    }
  }

  private tick(session: Session): void {
    const state = this.state.get();
    if (state.status !== 'recording') return;
    const levels = session.levels.slice(-LEVELS_SHOWN);
    this.state.set({ ...state, elapsedMs: this.durationOf(session), levels });
  }

  private maxDurationMs(): number {
    return this.options.maxDurationMs ?? MAX_DURATION_MS[this.kind];
  }

  private durationOf(session: Session): number {
    return Math.min(this.maxDurationMs(), Math.round(performance.now() - session.startedAt));
  }

  private async finish(session: Session): Promise<void> {
    if (this.session !== session) return;
    const durationMs = Math.max(1, this.durationOf(session));
    const poster = await session.poster;
    session.end();
    // Before it may be sent: a chunk stored later would look like an unsent recording.
    await session.storing;
    if (this.session !== session) return;
    this.session = null;
    const mimeType = session.writer.mimeType;
    const blob = new Blob(session.chunks, { type: mimeType });
    if (blob.size === 0) return this.state.set({ ...idle, problem: 'failed' });
    const waveform = waveformOf(session.levels);
    const url = URL.createObjectURL(blob);
    const clip: RecordedClip = { blob, url, mimeType, durationMs, waveform, poster };
    if (session.store) clip.recordingId = session.store.recordingId;
    this.state.set({ ...idle, status: 'recorded', elapsedMs: durationMs, clip });
  }
}

async function capturePoster(session: Session, stream: MediaStream): Promise<Blob | null> {
  session.unstoredPoster = await captureStill(stream);
  return session.unstoredPoster;
}

function newWriter(stream: MediaStream, kind: RecordingKind, quality: MediaRecorderOptions): MediaRecorder {
  try {
    return new MediaRecorder(stream, { ...quality, mimeType: formatFor(kind) });
  } catch (error) {
    release(stream);
    throw error;
  }
}

async function openDevice(kind: RecordingKind): Promise<MediaStream> {
  // A site without https has no devices either.
  if (!navigator.mediaDevices || typeof MediaRecorder === 'undefined')
    throw new DOMException('This browser has no recorder.', 'NotSupportedError');
  const stream = await navigator.mediaDevices.getUserMedia(constraints[kind]);
  if (kind === 'video') await waitForFirstFrame(stream);
  return stream;
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
