export { AudioPlayer } from './AudioPlayer.tsx';
export type { RecordedClip } from './recording.ts';
export { VideoPlayer } from './VideoPlayer.tsx';
