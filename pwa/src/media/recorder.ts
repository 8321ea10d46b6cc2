import type { ChunkStore } from '@/offline/store/recordings.ts';
import { formatFor } from './formats.ts';
import { waveformOf } from './levels.ts';
import { meter } from './meter.ts';
import { longestMs, type RecordingKind, type Take } from './recording.ts';
import { firstPicture, stillOf } from './still.ts';
import { hush } from './turn.ts';

/** Why nothing is recorded: not allowed, no such device, or the browser could not do it. */
export type Trouble = 'refused' | 'missing' | 'failed';

export type RecorderState = {
  status: 'idle' | 'asking' | 'recording' | 'recorded';
  elapsedMs: number;
  /** The last moments' loudness, the newest last. */
  levels: number[];
  /** What the camera or microphone gives while it is on. */
  stream: MediaStream | null;
  take: Take | null;
  trouble: Trouble | null;
};

const idle: RecorderState = {
  status: 'idle',
  elapsedMs: 0,
  levels: [],
  stream: null,
  take: null,
  trouble: null,
};

const wanted: Record<RecordingKind, MediaStreamConstraints> = {
  voice: { audio: { echoCancellation: true, noiseSuppression: true } },
  video: {
    audio: { echoCancellation: true, noiseSuppression: true },
    video: { facingMode: 'user', width: { ideal: 720 }, height: { ideal: 900 }, frameRate: { max: 30 } },
  },
};

const high: MediaRecorderOptions = { audioBitsPerSecond: 64_000, videoBitsPerSecond: 1_800_000 };
/** For who would rather send little: speech stays clear, faces can be told. */
const low: MediaRecorderOptions = { audioBitsPerSecond: 24_000, videoBitsPerSecond: 700_000 };

export type RecorderOptions = {
  /** Keeps each second as it comes, so that a crash loses no more than the last; without it nothing is kept. */
  keep?: () => ChunkStore;
  lowQuality?: boolean;
};

/** Written once a second, so that what was recorded before a failure is there. */
const chunkMs = 1000;
const levelsShown = 40;

function troubleOf(error: unknown): Trouble {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'missing' : 'failed';
}

/** One recording while it is made. */
type Session = {
  writer: MediaRecorder;
  chunks: Blob[];
  levels: number[];
  startedAt: number;
  poster: Promise<Blob | null> | null;
  /** The poster, until it is kept with a chunk. */
  still: Blob | null;
  store: ChunkStore | null;
  /** How many levels are kept with chunks already. */
  levelsKept: number;
  /** Settles once all that was written is on the device. */
  kept: Promise<unknown>;
  end: () => void;
};

/**
 * Idle, recording, recorded: the way of one recording from the microphone or camera to a blob. Knows no screen;
 * `useRecorder` shows it. Ends by itself at the longest length, and when the page is hidden: a phone takes the
 * microphone away then, and what was said is kept.
 */
export class Recorder {
  private state = idle;
  private session: Session | null = null;
  private asked = 0;
  /** Of the recording that is made or looked at. */
  private store: ChunkStore | null = null;
  private readonly watchers = new Set<() => void>();

  constructor(
    private readonly kind: RecordingKind,
    private readonly options: RecorderOptions = {},
  ) {}

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  readonly snapshot = (): RecorderState => this.state;

  readonly start = async (): Promise<void> => {
    if (this.state.status !== 'idle') return;
    hush();
    this.asked += 1;
    const asked = this.asked;
    this.show({ ...idle, status: 'asking' });
    try {
      const stream = await navigator.mediaDevices.getUserMedia(wanted[this.kind]);
      if (asked === this.asked && this.kind === 'video') await firstPicture(stream);
      if (asked !== this.asked) return release(stream);
      this.begin(stream);
    } catch (error) {
      if (asked === this.asked) this.show({ ...idle, trouble: troubleOf(error) });
    }
  };

  readonly stop = (): void => {
    if (this.session?.writer.state === 'recording') this.session.writer.stop();
  };

  /** Back to the beginning; what was recorded is gone. */
  readonly discard = (): void => {
    const { store } = this;
    this.leave();
    void store?.remove();
  };

  /** Back to the beginning; what is kept of the recording stays, and may be offered again. */
  readonly leave = (): void => {
    this.asked += 1;
    const session = this.session;
    this.session = null;
    session?.end();
    this.store?.release();
    this.store = null;
    if (this.state.take) URL.revokeObjectURL(this.state.take.url);
    this.show(idle);
  };

  private show(state: RecorderState): void {
    this.state = state;
    for (const watcher of this.watchers) watcher();
  }

  private begin(stream: MediaStream): void {
    this.store = this.options.keep?.() ?? null;
    const session = this.open(stream, newWriter(stream, this.kind, this.options.lowQuality ? low : high));
    this.session = session;
    const { writer } = session;
    writer.ondataavailable = ({ data }) => {
      if (data.size > 0) this.keep(session, data);
      // Once, from its first second.
      if (this.kind === 'video') session.poster ??= takeStill(session, stream);
    };
    writer.onstart = () => {
      session.startedAt = performance.now();
    };
    writer.onstop = () => void this.finish(session);
    try {
      writer.start(chunkMs);
    } catch (error) {
      session.end();
      throw error;
    }
    this.show({ ...idle, status: 'recording', stream });
  }

  private keep(session: Session, data: Blob): void {
    const index = session.chunks.push(data) - 1;
    const levels = session.levels.slice(session.levelsKept);
    session.levelsKept = session.levels.length;
    const elapsedMs = this.lengthOf(session);
    const mimeType = session.writer.mimeType;
    // The still goes with the first second after it was taken, and none waits for it.
    const poster = session.still;
    session.still = null;
    const chunk = { index, kind: this.kind, mimeType, blob: data, elapsedMs, levels, poster };
    // A device that cannot keep it records nevertheless.
    const kept = Promise.resolve(session.store?.add(chunk)).catch((error) =>
      console.warn('A second of the recording could not be kept', error),
    );
    session.kept = Promise.all([session.kept, kept]);
  }

  /** Everything that runs beside the recording, and the one way to end it. */
  private open(stream: MediaStream, writer: MediaRecorder): Session {
    const hidden = () => document.visibilityState === 'hidden' && this.stop();
    let timers: (() => void)[] = [() => release(stream)];
    const session: Session = {
      writer,
      chunks: [],
      levels: [],
      startedAt: performance.now(),
      poster: null,
      still: null,
      store: this.store,
      levelsKept: 0,
      kept: Promise.resolve(),
      end() {
        for (const end of timers) end();
        timers = [];
      },
    };
    const limit = setTimeout(this.stop, longestMs[this.kind]);
    const tick = setInterval(() => this.tick(session), 100);
    document.addEventListener('visibilitychange', hidden);
    timers.push(
      () => clearTimeout(limit),
      () => clearInterval(tick),
      () => document.removeEventListener('visibilitychange', hidden),
      this.listen(stream, session),
    );
    return session;
  }

  /** Without a meter the recording is still good: it is drawn as a line. */
  private listen(stream: MediaStream, session: Session): () => void {
    try {
      return meter(stream, (level) => session.levels.push(level));
    } catch {
      return () => undefined;
    }
  }

  private tick(session: Session): void {
    if (this.state.status !== 'recording') return;
    const levels = session.levels.slice(-levelsShown);
    this.show({ ...this.state, elapsedMs: this.lengthOf(session), levels });
  }

  private lengthOf(session: Session): number {
    return Math.min(longestMs[this.kind], Math.round(performance.now() - session.startedAt));
  }

  private async finish(session: Session): Promise<void> {
    if (this.session !== session) return;
    const durationMs = Math.max(1, this.lengthOf(session));
    const poster = await session.poster;
    session.end();
    // Before it may be sent: a second that came later would be taken for one left behind.
    await session.kept;
    if (this.session !== session) return;
    this.session = null;
    const mimeType = session.writer.mimeType;
    const blob = new Blob(session.chunks, { type: mimeType });
    if (blob.size === 0) return this.show({ ...idle, trouble: 'failed' });
    const waveform = waveformOf(session.levels);
    const url = URL.createObjectURL(blob);
    const take: Take = { blob, url, mimeType, durationMs, waveform, poster };
    if (session.store) take.recordingId = session.store.recordingId;
    this.show({ ...idle, status: 'recorded', elapsedMs: durationMs, take });
  }
}

async function takeStill(session: Session, stream: MediaStream): Promise<Blob | null> {
  session.still = await stillOf(stream);
  return session.still;
}

function newWriter(stream: MediaStream, kind: RecordingKind, quality: MediaRecorderOptions): MediaRecorder {
  try {
    return new MediaRecorder(stream, { ...quality, mimeType: formatFor(kind) });
  } catch (error) {
    release(stream);
    throw error;
  }
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
