declare global {
  interface Window {
    celebrations: number;
  }
}

/** Counts the celebrations that were shown, including those that are over. Runs in the page. */
export function countCelebrations(): void {
  window.celebrations = 0;
  const isCelebration = (node: Node) => node instanceof Element && node.matches('.hw-celebration');
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) window.celebrations += [...addedNodes].filter(isCelebration).length;
  }).observe(document, { childList: true, subtree: true });
}
