import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChunkStore } from '@/offline/store/recordings.ts';
import type { ChunkRow } from '@/offline/store/rows.ts';
import { Recorder, type RecorderOptions } from './recorder.ts';
import type { RecordingKind } from './recording.ts';
import { takeOf } from './restore.ts';

/** Stands for the browser's writer: writes what the test says, and stops when told. */
class FakeWriter {
  static last: FakeWriter;
  static isTypeSupported = (type: string) => type.includes('webm');
  state = 'inactive';
  readonly mimeType: string;
  onstart?: () => void;
  onstop?: () => void;
  ondataavailable?: (event: { data: Blob }) => void;

  constructor(
    readonly stream: unknown,
    readonly options: { mimeType: string; audioBitsPerSecond: number; videoBitsPerSecond: number },
  ) {
    this.mimeType = options.mimeType;
    FakeWriter.last = this;
  }

  start(): void {
    this.state = 'recording';
    this.onstart?.();
  }

  write(text: string): void {
    this.ondataavailable?.({ data: new Blob([text]) });
  }

  stop(): void {
    this.state = 'inactive';
    this.onstop?.();
  }
}

let tracks: { stop: ReturnType<typeof vi.fn> }[];
let ask: ReturnType<typeof vi.fn>;
let visibility = 'visible';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  tracks = [{ stop: vi.fn() }, { stop: vi.fn() }];
  ask = vi.fn(async () => ({ getTracks: () => tracks }));
  visibility = 'visible';
  vi.stubGlobal('MediaRecorder', FakeWriter);
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: ask } });
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(
    () => visibility as DocumentVisibilityState,
  );
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:take');
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A recorder that has been recording for so long. */
async function recording(
  ms = 0,
  kind: RecordingKind = 'voice',
  options?: RecorderOptions,
): Promise<Recorder> {
  const recorder = new Recorder(kind, options);
  await recorder.start();
  FakeWriter.last.write('sound');
  vi.advanceTimersByTime(ms);
  return recorder;
}

const recorded = (recorder: Recorder) =>
  vi.waitFor(() => {
    const { take } = recorder.snapshot();
    if (!take) throw new Error('not recorded yet');
    return take;
  });

describe('a recording', () => {
  it('keeps what was written, with its type and the measured length, and frees the microphone', async () => {
    const recorder = await recording(2500);
    expect(recorder.snapshot()).toMatchObject({ status: 'recording', elapsedMs: 2500 });
    recorder.stop();
    const take = await recorded(recorder);
    expect(take).toMatchObject({ mimeType: 'audio/webm;codecs=opus', durationMs: 2500, url: 'blob:take' });
    expect(await take.blob.text()).toBe('sound');
    expect(tracks.map(({ stop }) => stop.mock.calls.length)).toEqual([1, 1]);
  });

  it('ends by itself after a minute and is never told to be longer', async () => {
    const recorder = await recording(61_000);
    expect((await recorded(recorder)).durationMs).toBe(60_000);
    expect(recorder.snapshot().status).toBe('recorded');
  });

  it('of a video ends by itself after half a minute', async () => {
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(null));
    const recorder = await recording(29_999, 'video');
    expect(recorder.snapshot()).toMatchObject({ status: 'recording', take: null });
    vi.advanceTimersByTime(2000);
    expect((await recorded(recorder)).durationMs).toBe(30_000);
    expect(recorder.snapshot().status).toBe('recorded');
    expect(tracks.map(({ stop }) => stop.mock.calls.length)).toEqual([1, 1]);
  });

  it('takes few bytes where that is wanted', async () => {
    await recording(0, 'voice', { lowQuality: false });
    const much = FakeWriter.last.options;
    await recording(0, 'voice', { lowQuality: true });
    const little = FakeWriter.last.options;
    expect([much.audioBitsPerSecond, little.audioBitsPerSecond]).toEqual([64_000, 24_000]);
    expect([much.videoBitsPerSecond, little.videoBitsPerSecond]).toEqual([1_800_000, 700_000]);
  });

  it('ends and is kept when the page is hidden', async () => {
    const recorder = await recording(1000);
    visibility = 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
    expect((await recorded(recorder)).durationMs).toBe(1000);
  });

  it('leaves nothing behind when discarded, before or after it ended', async () => {
    const running = await recording(1000);
    running.discard();
    expect(running.snapshot().status).toBe('idle');
    expect(tracks[0]?.stop).toHaveBeenCalledOnce();

    const ended = await recording(1000);
    ended.stop();
    await recorded(ended);
    ended.discard();
    expect(URL.revokeObjectURL).toHaveBeenCalledWith('blob:take');
    expect(ended.snapshot()).toMatchObject({ status: 'idle', take: null });
  });

  it('of nothing is said to have failed', async () => {
    const recorder = new Recorder('voice');
    await recorder.start();
    recorder.stop();
    await vi.waitFor(() => expect(recorder.snapshot()).toMatchObject({ status: 'idle', trouble: 'failed' }));
  });
});

describe('what is kept against a crash', () => {
  const kept: ChunkRow[] = [];
  const store = {
    recordingId: 'r',
    add: vi.fn<ChunkStore['add']>(),
    release: vi.fn(),
    remove: vi.fn(async () => undefined),
  };
  beforeEach(() => {
    kept.length = 0;
    for (const one of [store.add, store.release, store.remove]) one.mockClear();
    store.add.mockImplementation(async (chunk) => {
      kept.push({ ...chunk, recordingId: 'r', conversationId: 'c' });
    });
  });

  async function keeping(): Promise<Recorder> {
    kept.length = 0;
    const recorder = new Recorder('voice', { keep: () => store });
    await recorder.start();
    for (const second of ['one ', 'two ']) {
      vi.advanceTimersByTime(1000);
      FakeWriter.last.write(second);
    }
    await vi.waitFor(() => expect(kept).toHaveLength(2));
    return recorder;
  }

  it('is every second as it came, and makes the recording anew', async () => {
    await keeping();
    const take = takeOf(kept);
    expect(take).toMatchObject({ durationMs: 2000, mimeType: 'audio/webm;codecs=opus', recordingId: 'r' });
    expect(await take?.blob.text()).toBe('one two ');
    expect(takeOf([])).toBeNull();
  });

  it('goes when it is discarded, and stays when the screen is left', async () => {
    (await keeping()).discard();
    expect(store.remove).toHaveBeenCalledOnce();
    expect(store.release).toHaveBeenCalledOnce();
    const left = await keeping();
    left.stop();
    expect((await recorded(left)).recordingId).toBe('r');
    left.leave();
    expect(store.remove).toHaveBeenCalledOnce();
    expect(store.release).toHaveBeenCalledTimes(2);
  });

  it('is no condition: a full device records nevertheless', async () => {
    vi.spyOn(console, 'warn').mockReturnValue(undefined);
    store.add.mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
    const recorder = new Recorder('voice', { keep: () => store });
    await recorder.start();
    FakeWriter.last.write('sound');
    recorder.stop();
    expect(await (await recorded(recorder)).blob.text()).toBe('sound');
  });
});

describe('without a microphone', () => {
  it.each([
    ['NotAllowedError', 'refused'],
    ['NotFoundError', 'missing'],
    ['NotReadableError', 'failed'],
  ])('%s is told as %s, and it can be tried again', async (name, trouble) => {
    ask.mockRejectedValueOnce(new DOMException('no', name));
    const recorder = new Recorder('voice');
    await recorder.start();
    expect(recorder.snapshot()).toMatchObject({ status: 'idle', trouble });
    await recorder.start();
    expect(recorder.snapshot()).toMatchObject({ status: 'recording', trouble: null });
  });

  it('a permission given after leaving switches nothing on', async () => {
    let allow: (stream: unknown) => void = () => undefined;
    ask.mockReturnValueOnce(
      new Promise((resolve) => {
        allow = resolve;
      }),
    );
    const recorder = new Recorder('voice');
    const started = recorder.start();
    recorder.discard();
    allow({ getTracks: () => tracks });
    await started;
    expect(recorder.snapshot().status).toBe('idle');
    expect(tracks[0]?.stop).toHaveBeenCalledOnce();
  });
});
