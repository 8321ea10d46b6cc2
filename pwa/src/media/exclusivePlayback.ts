/** Plays one recording at a time: starting a player pauses the previous one. */
let current: HTMLMediaElement | null = null;

export function playExclusively(element: HTMLMediaElement): void {
  if (current !== element) current?.pause();
  current = element;
}

/** Pauses the current player, before a microphone records it. */
export function pauseCurrent(): void {
  current?.pause();
  current = null;
}
