/**
 * Scroll position and focus after a navigation, which a browser handles for documents and a router does not. A page
 * opened by a link starts at its top with the focus on its heading. Back restores the scroll position and the focus on
 * the followed link; if the content is drawn late, both wait for it until the member's next input.
 */
import { useLayoutEffect, useRef } from 'react';
import type { DataRouter } from 'react-router';

type Link = { href: string; nth: number };
type Position = { top: number; boxes: Record<string, number>; link: Link | null };
/** One entry of the browser's history: its path with the query, and its position when it was left. */
type Entry = { path: string; position?: Position };

const STORAGE_KEY = 'hw.history';
/** How long the position is applied again: content may replace a skeleton of another height. */
const REAPPLY_MS = 10_000;
const INPUTS = ['pointerdown', 'touchstart', 'wheel', 'keydown'];

type Arriving = { position?: Position; oldBoxes: Set<Element>; toTopOnly: boolean };

/** Where the page is in its history. It belongs to no member: a document has one history and one focus. */
const page = {
  /** The entries by the router's history index. */
  entries: [] as Entry[],
  index: 0,
  clicked: null as Element | null,
  /** Set from the router's navigation until the first render of the new page. */
  arriving: null as Arriving | null,
  /** Aborted by the member's next input or the next navigation; until then the app sets focus and position. */
  arrival: new AbortController(),
  /** The element that this module focused last. */
  focused: null as Element | null,
  /** Whether there was a navigation. Before the first one the browser's initial focus is right. */
  navigated: false,
};

const currentIndex = (): number => (history.state as { idx?: number } | null)?.idx ?? 0;
const scrollBoxes = () => [...document.querySelectorAll<HTMLElement>('[data-scroll-box]')];
const isDrawn = (element: Element) => element.getClientRects().length > 0;
const linksTo = (href: string) =>
  [...document.querySelectorAll(`a[href="${CSS.escape(href)}"]`)].filter(isDrawn);

function currentPosition(): Position {
  const href = page.clicked?.getAttribute('href');
  return {
    top: scrollY,
    boxes: Object.fromEntries(scrollBoxes().map((box) => [box.dataset.scrollBox ?? '', box.scrollTop])),
    link: page.clicked && href ? { href, nth: linksTo(href).indexOf(page.clicked) } : null,
  };
}

/** Starts to track the router's navigations. Call it once, before the router renders. */
export function trackNavigations(router: Pick<DataRouter, 'state' | 'subscribe'>): void {
  history.scrollRestoration = 'manual';
  page.index = currentIndex();
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // A newly opened document has no position to restore.
  if (load?.type === 'navigate') sessionStorage.removeItem(STORAGE_KEY);
  page.entries = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as Entry[];
  const { position } = page.entries[page.index] ?? {};
  if (position) {
    page.arriving = { position: { ...position, link: null }, oldBoxes: new Set(), toTopOnly: false };
    startNavigation();
  }

  let { location } = router.state;
  const pathOf = ({ pathname, search }: typeof location) => pathname + search;
  page.entries[page.index] = { path: pathOf(location) };

  addEventListener(
    'click',
    ({ target }) => {
      page.clicked = target instanceof Element ? target.closest('a[href]') : null;
    },
    true,
  );
  addEventListener('pagehide', () => {
    page.entries[page.index] = { path: pathOf(location), position: currentPosition() };
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(page.entries));
  });
  router.subscribe(({ location: next, historyAction }) => {
    if (next.key === location.key) return;
    const samePage = historyAction === 'REPLACE' && next.pathname === location.pathname;
    const toTopOnly = samePage && next.search === location.search;
    // The old page is still in the document.
    if (historyAction !== 'REPLACE')
      page.entries[page.index] = { path: pathOf(location), position: currentPosition() };
    page.index = currentIndex();
    if (historyAction === 'PUSH') page.entries.length = page.index;
    const position = historyAction === 'POP' ? page.entries[page.index]?.position : undefined;
    page.entries[page.index] = { path: pathOf(next) };
    location = next;
    if (samePage && !toTopOnly) return;
    page.arriving = { position, oldBoxes: new Set(scrollBoxes()), toTopOnly };
    page.navigated = true;
    startNavigation();
  });
}

/** Whether the page was opened from another page of the app. */
export const hasPreviousPage = (): boolean => page.entries[page.index - 1] !== undefined;

/** Whether the previous entry of the history has this path. */
export function isPreviousPage(path: string): boolean {
  const before = page.entries[page.index - 1]?.path;
  return before !== undefined && (path.includes('?') ? before === path : before.split('?')[0] === path);
}

function startNavigation(): void {
  page.arrival.abort();
  page.arrival = new AbortController();
  const { signal } = page.arrival;
  for (const input of INPUTS)
    addEventListener(input, () => page.arrival.abort(), {
      capture: true,
      passive: true,
      once: true,
      signal,
    });
}

/** Moves the focus, unless the new page or the member has moved it. */
function moveFocus(element: HTMLElement | null | undefined): void {
  const { activeElement } = document;
  const isUnclaimed = [null, document.body, page.clicked, page.focused].includes(activeElement);
  if (
    !element ||
    !isUnclaimed ||
    !page.navigated ||
    page.arrival.signal.aborted ||
    document.querySelector('dialog[open]')
  )
    return;
  element.focus({ preventScroll: true });
  page.focused = element;
}

function focusHeading(): void {
  const heading = [...document.querySelectorAll<HTMLElement>('h1'), document.querySelector('main')].find(
    (one) => one && isDrawn(one),
  );
  if (!heading) return;
  heading.tabIndex = -1;
  moveFocus(heading);
}

/** Restores position and focus; call it in the root of all pages. `announce` passes a text to screen readers. */
export function usePageArrival(location: object, announce: (title: string) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per navigation
  useLayoutEffect(() => {
    if (!page.arriving) return;
    const { position, oldBoxes, toTopOnly } = page.arriving;
    page.arriving = null;
    if (position) restore(position, oldBoxes, announce);
    else scrollTo(0, 0);
    // A heading of the page may have the focus already (usePageHeading).
    if (!toTopOnly && !(page.focused?.isConnected && page.focused === document.activeElement)) focusHeading();
    page.clicked = null;
  }, [location]);
}

function restore(
  { top, boxes: tops, link }: Position,
  oldBoxes: Set<Element>,
  announce: (title: string) => void,
): void {
  const { signal } = page.arrival;
  let pendingLink = link;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const apply = () => {
    frame = 0;
    if (Math.abs(scrollY - top) >= 1) scrollTo(0, top);
    const pendingBoxes = new Map(Object.entries(tops).filter(([, to]) => to > 0));
    for (const box of scrollBoxes()) {
      const { scrollBox = '' } = box.dataset;
      if (!oldBoxes.has(box)) box.scrollTop = tops[scrollBox] ?? 0;
      if (oldBoxes.has(box) || box.scrollTop === pendingBoxes.get(scrollBox)) pendingBoxes.delete(scrollBox);
    }
    const target = pendingLink && linksTo(pendingLink.href)[pendingLink.nth];
    if (target) {
      pendingLink = null;
      moveFocus(target as HTMLElement);
      // The heading is not announced then, so the title is, once it is set.
      setTimeout(() => announce(document.title));
    }
    if (!pendingLink && pendingBoxes.size === 0 && Math.abs(scrollY - top) < 1)
      timer ??= setTimeout(() => page.arrival.abort(), REAPPLY_MS);
  };
  apply();
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(apply);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
  // A wheel that is still turning may have aborted the signal already: the position is then set only once.
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop);
}

/** Returns a ref for a heading that is drawn later than its page, which then gets the page's focus. */
export function usePageHeading<Heading extends HTMLElement>() {
  const ref = useRef<Heading>(null);
  useLayoutEffect(() => moveFocus(ref.current), []);
  return ref;
}
