const CHECK_MS = 100;
/** The longest time for which the first screen delays the work. */
const LONGEST_DELAY_MS = 3000;

/** Whether the screen has neither a skeleton nor an eager picture that is loading. */
function isDrawn(): boolean {
  const main = document.querySelector('main');
  if (!main || main.querySelector('.animate-skeleton')) return false;
  const pictures = main.querySelectorAll<HTMLImageElement>('img:not([loading=lazy])');
  return [...pictures].every(({ complete }) => complete);
}

/**
 * Calls `work` once the screen is drawn and the browser is idle, or after LONGEST_DELAY_MS. Returns a function that
 * cancels it.
 */
export function whenDrawn(work: () => void): () => void {
  // Safari has no requestIdleCallback.
  const idle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 1));
  const start = performance.now();
  let isCancelled = false;
  const check = () => {
    if (isCancelled) return;
    if (performance.now() - start >= LONGEST_DELAY_MS) work();
    else if (isDrawn()) idle(() => isCancelled || work(), { timeout: LONGEST_DELAY_MS });
    else setTimeout(check, CHECK_MS);
  };
  // After the first frame.
  requestAnimationFrame(() => setTimeout(check));
  return () => {
    isCancelled = true;
  };
}
