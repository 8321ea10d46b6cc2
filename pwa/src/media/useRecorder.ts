import { useEffect, useState, useSyncExternalStore } from 'react';
import { holdUpdate } from '@/offline/serviceWorker.ts';
import { Recorder, type RecorderState } from './recorder.ts';
import type { RecordingKind } from './recording.ts';

type Recording = RecorderState & { start: () => Promise<void>; stop: () => void; discard: () => void };

/** A recorder for one screen: its state, and what can be done. Leaving the screen discards. */
export function useRecorder(kind: RecordingKind): Recording {
  const [recorder] = useState(() => new Recorder(kind));
  const state = useSyncExternalStore(recorder.subscribe, recorder.snapshot);
  const busy = state.status !== 'idle';
  useEffect(() => recorder.discard, [recorder]);
  // A new version of the app waits until nothing would be lost.
  useEffect(() => (busy ? holdUpdate() : undefined), [busy]);
  const { start, stop, discard } = recorder;
  return { ...state, start, stop, discard };
}
