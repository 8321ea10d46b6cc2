export { AudioPlayer } from './AudioPlayer.tsx';
export type { Playable, Take } from './recording.ts';
export { VideoPlayer } from './VideoPlayer.tsx';
