/** The playback speed of recordings on this device. */
import { storageKeys } from '@/base/storage.ts';
import { createEmitter } from '@/base/store.ts';

const speeds = [1, 1.25, 1.5, 2];
const changes = createEmitter();

export function currentSpeed(): number {
  const stored = Number(localStorage.getItem(storageKeys.speed));
  return speeds.includes(stored) ? stored : 1;
}

/** Switches to the next faster speed, and from the fastest to 1×. */
export function nextSpeed(): void {
  const index = speeds.indexOf(currentSpeed());
  localStorage.setItem(storageKeys.speed, String(speeds[(index + 1) % speeds.length]));
  changes.emit();
}

export const useSpeed = (): number => changes.useValue(currentSpeed);
