/** One recording is heard at a time: whoever starts takes the turn, whoever had it pauses. */
let current: HTMLMediaElement | null = null;

export function takeTurn(element: HTMLMediaElement): void {
  if (current !== element) current?.pause();
  current = element;
}

/** Whatever plays pauses: a microphone would hear it. */
export function hush(): void {
  current?.pause();
  current = null;
}
