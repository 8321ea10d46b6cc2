import { useEffect, useEffectEvent, useState } from 'react';
import { blockReload } from '@/offline/device/serviceWorker.ts';
import { useRootMark } from '@/ui';
import { Recorder, type RecorderOptions, type RecorderState } from './recorder.ts';
import type { RecordingKind } from './recording.ts';

type Recording = RecorderState &
  Pick<Recorder, 'stop' | 'discard' | 'leave' | 'preview' | 'endPreview'> & {
    start: () => void;
    /** Whether the member has started a recording; only then the start button is focused again. */
    wasStarted: boolean;
  };
type Options = RecorderOptions & {
  /** Starts to record at once, because a tap on a microphone opened it. */
  startOnMount?: boolean;
};

/** A recorder for one screen. Unmounting stops it; its stored chunks stay. */
export function useRecorder(kind: RecordingKind, options: Options = {}): Recording {
  const [recorder] = useState(() => new Recorder(kind, options));
  const state = recorder.useSnapshot();
  const busy = state.status !== 'idle';
  const startIfRequested = useEffectEvent(() => options.startOnMount && void recorder.start());
  useEffect(() => {
    startIfRequested();
    return recorder.leave;
  }, [recorder]);
  // Delays an update of the app, which would lose the recording.
  useEffect(() => (busy ? blockReload() : undefined), [busy]);
  useRootMark('recording', state.status === 'asking' || state.status === 'recording');
  const [wasStarted, setWasStarted] = useState(false);
  const start = () => {
    setWasStarted(true);
    void recorder.start();
  };
  const { stop, discard, leave, preview, endPreview } = recorder;
  return { ...state, start, stop, discard, leave, preview, endPreview, wasStarted };
}
