import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { holdUpdate } from '@/offline/device/serviceWorker.ts';
import { useRootMark } from '@/ui';
import { Recorder, type RecorderOptions, type RecorderState } from './recorder.ts';
import type { RecordingKind } from './recording.ts';

type Recording = RecorderState &
  Pick<Recorder, 'stop' | 'discard' | 'leave'> & {
    start: () => void;
    /** Started by hand: only who comes back from recording is given the focus, opening the screen moves none. */
    used: boolean;
  };
type Options = RecorderOptions & {
  /** It was a tap on a microphone that led here: it records at once. */
  atOnce?: boolean;
};

/** A recorder for one screen: its state, and what can be done. Leaving the screen keeps what the device keeps. */
export function useRecorder(kind: RecordingKind, options: Options = {}): Recording {
  const [recorder] = useState(() => new Recorder(kind, options));
  const state = useSyncExternalStore(recorder.subscribe, recorder.snapshot);
  const busy = state.status !== 'idle';
  const enter = useEffectEvent(() => options.atOnce && void recorder.start());
  useEffect(() => {
    enter();
    return recorder.leave;
  }, [recorder]);
  // A new version of the app waits until nothing would be lost.
  useEffect(() => (busy ? holdUpdate() : undefined), [busy]);
  useRootMark('recording', state.status === 'asking' || state.status === 'recording');
  const [used, setUsed] = useState(false);
  const start = () => {
    setUsed(true);
    void recorder.start();
  };
  const { stop, discard, leave } = recorder;
  return { ...state, start, stop, discard, leave, used };
}
