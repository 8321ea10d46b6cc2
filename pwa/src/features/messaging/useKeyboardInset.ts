import { type RefObject, useEffect } from 'react';

/**
 * Keeps a full-screen pane above the phone's keyboard. Chromium shrinks the page by itself (interactive-widget); Safari
 * only moves the visual viewport, so the pane is given its height and offset.
 */
export function useKeyboardInset(pane: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { visualViewport } = globalThis;
    if (!visualViewport) return;
    const resizePane = () => {
      const element = pane.current;
      if (!element) return;
      // Zoomed in by the member: the pane keeps its normal size.
      const zoomed = visualViewport.scale > 1.01;
      element.style.setProperty('--pane-height', zoomed ? '100dvh' : `${visualViewport.height}px`);
      element.style.setProperty('--pane-top', zoomed ? '0px' : `${visualViewport.offsetTop}px`);
    };
    resizePane();
    visualViewport.addEventListener('resize', resizePane);
    visualViewport.addEventListener('scroll', resizePane);
    return () => {
      visualViewport.removeEventListener('resize', resizePane);
      visualViewport.removeEventListener('scroll', resizePane);
    };
  }, [pane]);
}
