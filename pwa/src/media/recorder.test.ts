import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChunkStore } from '@/offline/store/recordings.ts';
import type { ChunkRow } from '@/offline/store/rows.ts';
import { Recorder, type RecorderOptions } from './recorder.ts';
import type { RecordingKind } from './recording.ts';
import { restoreClip } from './restoreClip.ts';

/** A fake MediaRecorder: emits the test's data, and stops when called. */
class FakeMediaRecorder {
  static last: FakeMediaRecorder;
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
    FakeMediaRecorder.last = this;
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

/** A track of a device, which a call or another program may take. */
class FakeTrack extends EventTarget {
  readonly stop = vi.fn();
}
let tracks: FakeTrack[];
let getUserMedia: ReturnType<typeof vi.fn>;
let visibility = 'visible';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  tracks = [new FakeTrack(), new FakeTrack()];
  getUserMedia = vi.fn(async () => ({ getTracks: () => tracks }));
  visibility = 'visible';
  vi.stubGlobal('MediaRecorder', FakeMediaRecorder);
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: getUserMedia } });
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

/** Starts a recorder and lets it record for a time. */
async function startRecording(
  ms = 0,
  kind: RecordingKind = 'voice',
  options?: RecorderOptions,
): Promise<Recorder> {
  const recorder = new Recorder(kind, options);
  await recorder.start();
  FakeMediaRecorder.last.write('sound');
  vi.advanceTimersByTime(ms);
  return recorder;
}

const waitUntilRecorded = (recorder: Recorder) =>
  vi.waitFor(() => {
    const { clip } = recorder.snapshot();
    if (!clip) throw new Error('not recorded yet');
    return clip;
  });

describe('a recording', () => {
  it('has the recorded data, its type and the measured duration, and releases the microphone', async () => {
    const recorder = await startRecording(2500);
    expect(recorder.snapshot()).toMatchObject({ status: 'recording', elapsedMs: 2500 });
    recorder.stop();
    const clip = await waitUntilRecorded(recorder);
    expect(clip).toMatchObject({ mimeType: 'audio/webm;codecs=opus', durationMs: 2500, url: 'blob:take' });
    expect(await clip.blob.text()).toBe('sound');
    expect(tracks.map(({ stop }) => stop.mock.calls.length)).toEqual([1, 1]);
  });

  it('stops after a minute and reports a duration of one minute', async () => {
    const recorder = await startRecording(61_000);
    expect((await waitUntilRecorded(recorder)).durationMs).toBe(60_000);
    expect(recorder.snapshot().status).toBe('recorded');
  });

  it.each(['mute', 'ended'])(
    'stops at the %s of its microphone, which a call has taken, and keeps what was said before',
    async (event) => {
      const recorder = await startRecording(3000);
      tracks[0]?.dispatchEvent(new Event(event));
      vi.advanceTimersByTime(5000);
      const clip = await waitUntilRecorded(recorder);
      expect(clip.durationMs, 'without the silence after it').toBe(3000);
      expect(await clip.blob.text()).toBe('sound');
    },
  );

  it('of a video stops after half a minute', async () => {
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(null));
    const recorder = await startRecording(29_999, 'video');
    expect(recorder.snapshot()).toMatchObject({ status: 'recording', clip: null });
    vi.advanceTimersByTime(2000);
    expect((await waitUntilRecorded(recorder)).durationMs).toBe(30_000);
    expect(recorder.snapshot().status).toBe('recorded');
    expect(tracks.map(({ stop }) => stop.mock.calls.length)).toEqual([1, 1]);
  });

  it('has a low bit rate in low quality', async () => {
    await startRecording(0, 'voice', { lowQuality: false });
    const high = FakeMediaRecorder.last.options;
    await startRecording(0, 'voice', { lowQuality: true });
    const low = FakeMediaRecorder.last.options;
    expect([high.audioBitsPerSecond, low.audioBitsPerSecond]).toEqual([64_000, 24_000]);
    expect([high.videoBitsPerSecond, low.videoBitsPerSecond]).toEqual([1_800_000, 700_000]);
  });

  it('stops when the page is hidden, with the data recorded so far', async () => {
    const recorder = await startRecording(1000);
    visibility = 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
    expect((await waitUntilRecorded(recorder)).durationMs).toBe(1000);
  });

  it('releases everything when discarded, before or after it has stopped', async () => {
    const running = await startRecording(1000);
    running.discard();
    expect(running.snapshot().status).toBe('idle');
    expect(tracks[0]?.stop).toHaveBeenCalledOnce();

    const endedRecorder = await startRecording(1000);
    endedRecorder.stop();
    await waitUntilRecorded(endedRecorder);
    endedRecorder.discard();
    expect(URL.revokeObjectURL).toHaveBeenCalledWith('blob:take');
    expect(endedRecorder.snapshot()).toMatchObject({ status: 'idle', clip: null });
  });

  it.each([
    ['devices', () => vi.stubGlobal('navigator', {})],
    ['a recorder', () => vi.stubGlobal('MediaRecorder', undefined)],
  ])('in a browser without %s is reported as unsupported', async (_, remove) => {
    remove();
    const recorder = new Recorder('voice');
    await recorder.start();
    expect(recorder.snapshot()).toMatchObject({ status: 'idle', problem: 'unsupported' });
    expect(getUserMedia, 'nothing is asked for in vain').not.toHaveBeenCalled();
  });

  it('without data is reported as failed', async () => {
    const recorder = new Recorder('voice');
    await recorder.start();
    recorder.stop();
    await vi.waitFor(() => expect(recorder.snapshot()).toMatchObject({ status: 'idle', problem: 'failed' }));
  });
});

describe('the chunk store', () => {
  const storedChunks: ChunkRow[] = [];
  const store = {
    recordingId: 'r',
    add: vi.fn<ChunkStore['add']>(),
    release: vi.fn(),
    remove: vi.fn(async () => undefined),
  };
  beforeEach(() => {
    storedChunks.length = 0;
    for (const one of [store.add, store.release, store.remove]) one.mockClear();
    store.add.mockImplementation(async (chunk) => {
      storedChunks.push({ ...chunk, recordingId: 'r', conversationId: 'c' });
    });
  });

  async function recordWithStore(): Promise<Recorder> {
    storedChunks.length = 0;
    const recorder = new Recorder('voice', { openChunkStore: () => store });
    await recorder.start();
    for (const second of ['one ', 'two ']) {
      vi.advanceTimersByTime(1000);
      FakeMediaRecorder.last.write(second);
    }
    await vi.waitFor(() => expect(storedChunks).toHaveLength(2));
    return recorder;
  }

  it('has each second, from which the recording is restored', async () => {
    await recordWithStore();
    const clip = restoreClip(storedChunks);
    expect(clip).toMatchObject({ durationMs: 2000, mimeType: 'audio/webm;codecs=opus', recordingId: 'r' });
    expect(await clip?.blob.text()).toBe('one two ');
    expect(restoreClip([])).toBeNull();
  });

  it('is removed when the recording is discarded, and stays when the screen is left', async () => {
    (await recordWithStore()).discard();
    expect(store.remove).toHaveBeenCalledOnce();
    expect(store.release).toHaveBeenCalledOnce();
    const leftRecorder = await recordWithStore();
    leftRecorder.stop();
    expect((await waitUntilRecorded(leftRecorder)).recordingId).toBe('r');
    leftRecorder.leave();
    expect(store.remove).toHaveBeenCalledOnce();
    expect(store.release).toHaveBeenCalledTimes(2);
  });

  it('is optional: a full device still records', async () => {
    vi.spyOn(console, 'warn').mockReturnValue(undefined);
    store.add.mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
    const recorder = new Recorder('voice', { openChunkStore: () => store });
    await recorder.start();
    FakeMediaRecorder.last.write('sound');
    recorder.stop();
    expect(await (await waitUntilRecorded(recorder)).blob.text()).toBe('sound');
  });
});

describe('the preview', () => {
  it('opens the device once for itself and the recording', async () => {
    const recorder = new Recorder('voice');
    await recorder.preview();
    expect(recorder.snapshot()).toMatchObject({ status: 'idle', stream: expect.anything() });
    await recorder.start();
    expect(recorder.snapshot().status).toBe('recording');
    expect(getUserMedia).toHaveBeenCalledOnce();
    recorder.endPreview();
    expect(recorder.snapshot().status).toBe('recording');
  });

  it('turns the device off when it ends', async () => {
    const recorder = new Recorder('voice');
    await recorder.preview();
    recorder.endPreview();
    await vi.waitFor(() => expect(tracks[0]?.stop).toHaveBeenCalledOnce());
    expect(recorder.snapshot()).toMatchObject({ status: 'idle', stream: null });
  });

  it('reports a denied device, also after it ended', async () => {
    getUserMedia.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
    const recorder = new Recorder('voice');
    await recorder.preview();
    recorder.endPreview();
    expect(recorder.snapshot()).toMatchObject({ status: 'idle', problem: 'denied' });
  });
});

describe('without a microphone', () => {
  it.each([
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'missing'],
    ['NotReadableError', 'failed'],
  ])('%s is reported as %s, and recording can be tried again', async (name, problem) => {
    getUserMedia.mockRejectedValueOnce(new DOMException('no', name));
    const recorder = new Recorder('voice');
    await recorder.start();
    expect(recorder.snapshot()).toMatchObject({ status: 'idle', problem });
    await recorder.start();
    expect(recorder.snapshot()).toMatchObject({ status: 'recording', problem: null });
  });

  it('a permission granted after leaving starts no recording', async () => {
    let allow: (stream: unknown) => void = () => undefined;
    getUserMedia.mockReturnValueOnce(
      new Promise((resolve) => {
        allow = resolve;
      }),
    );
    const recorder = new Recorder('voice');
    const starting = recorder.start();
    recorder.discard();
    allow({ getTracks: () => tracks });
    await starting;
    expect(recorder.snapshot().status).toBe('idle');
    expect(tracks[0]?.stop).toHaveBeenCalledOnce();
  });
});
