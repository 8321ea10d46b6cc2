import { expect, it, vi } from 'vitest';
import { hush, takeTurn } from './turn.ts';

const element = () =>
  ({ pause: vi.fn() }) as unknown as HTMLMediaElement & { pause: ReturnType<typeof vi.fn> };

it('lets one recording be heard at a time', () => {
  const [voice, video] = [element(), element()];
  takeTurn(voice);
  takeTurn(voice);
  expect(voice.pause).not.toHaveBeenCalled();
  takeTurn(video);
  expect(voice.pause).toHaveBeenCalledOnce();
  expect(video.pause).not.toHaveBeenCalled();
});

it('is silent once somebody records', () => {
  const voice = element();
  takeTurn(voice);
  hush();
  hush();
  expect(voice.pause).toHaveBeenCalledOnce();
});
