import { expect, it, vi } from 'vitest';
import { pauseCurrent, playExclusively } from './exclusivePlayback.ts';

const element = () =>
  ({ pause: vi.fn() }) as unknown as HTMLMediaElement & { pause: ReturnType<typeof vi.fn> };

it('plays one recording at a time', () => {
  const [voice, video] = [element(), element()];
  playExclusively(voice);
  playExclusively(voice);
  expect(voice.pause).not.toHaveBeenCalled();
  playExclusively(video);
  expect(voice.pause).toHaveBeenCalledOnce();
  expect(video.pause).not.toHaveBeenCalled();
});

it('pauses playback when a recording starts', () => {
  const voice = element();
  playExclusively(voice);
  pauseCurrent();
  pauseCurrent();
  expect(voice.pause).toHaveBeenCalledOnce();
});
