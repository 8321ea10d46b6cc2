export { AudioPlayer } from './AudioPlayer.tsx';
export type { Take } from './recording.ts';
export { VideoPlayer } from './VideoPlayer.tsx';
