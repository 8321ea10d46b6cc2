/**
 * What a browser does with pages and a router leaves to the app. A page opened by a link starts at its top with the
 * focus on its heading. Back returns to the scroll position and to the link that was followed; where the page draws
 * its content late, both wait for it, until the member touches a key, the wheel or the screen.
 */
import { useLayoutEffect, useRef } from 'react';
import type { createBrowserRouter } from 'react-router';

type Link = { href: string; nth: number };
type Position = { top: number; boxes: Record<string, number>; link: Link | null };
/** One entry of the browser's history: its path with the query, and where it was left. */
type Entry = { path: string; position?: Position };

const STORAGE_KEY = 'hw.history';
/** A skeleton may be as tall as the page was, and gives way to content that is not: the position is set again. */
const HOLD_MS = 10_000;
const INPUTS = ['pointerdown', 'touchstart', 'wheel', 'keydown'];

/** By the router's index of the history. */
let entries: Entry[] = [];
let index = 0;
let clicked: Element | null = null;
/** Set between the router's decision and the first drawing of the new page. */
let arriving: { position?: Position; kept: Set<Element>; toTopOnly: boolean } | null = null;
/** Ends with the member's next input or the next navigation: until then focus and position are set by the app. */
let settling = new AbortController();
/** What this module focused last. */
let focused: Element | null = null;
/** Until the first navigation the browser's own start of the focus is right. */
let navigated = false;

const indexNow = (): number => (history.state as { idx?: number } | null)?.idx ?? 0;
const boxes = () => [...document.querySelectorAll<HTMLElement>('[data-scroll-box]')];
const isDrawn = (element: Element) => element.getClientRects().length > 0;
const linksTo = (href: string) =>
  [...document.querySelectorAll(`a[href="${CSS.escape(href)}"]`)].filter(isDrawn);

function positionNow(): Position {
  const href = clicked?.getAttribute('href');
  return {
    top: scrollY,
    boxes: Object.fromEntries(boxes().map((box) => [box.dataset.scrollBox ?? '', box.scrollTop])),
    link: clicked && href ? { href, nth: linksTo(href).indexOf(clicked) } : null,
  };
}

/** Follows the router from now on. Call it once, before the router is drawn. */
export function followNavigation(router: ReturnType<typeof createBrowserRouter>): void {
  history.scrollRestoration = 'manual';
  index = indexNow();
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // A document that was loaded anew has nothing to return to.
  if (load?.type === 'navigate') sessionStorage.removeItem(STORAGE_KEY);
  entries = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as Entry[];
  const { position } = entries[index] ?? {};
  if (position) {
    arriving = { position: { ...position, link: null }, kept: new Set(), toTopOnly: false };
    settleUntilInput();
  }

  let { location } = router.state;
  const pathOf = ({ pathname, search }: typeof location) => pathname + search;
  entries[index] = { path: pathOf(location) };

  addEventListener(
    'click',
    ({ target }) => {
      clicked = target instanceof Element ? target.closest('a[href]') : null;
    },
    true,
  );
  addEventListener('pagehide', () => {
    entries[index] = { path: pathOf(location), position: positionNow() };
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(entries));
  });
  router.subscribe(({ location: next, historyAction }) => {
    if (next.key === location.key) return;
    const samePage = historyAction === 'REPLACE' && next.pathname === location.pathname;
    const toTopOnly = samePage && next.search === location.search;
    // The old page is still drawn.
    if (historyAction !== 'REPLACE') entries[index] = { path: pathOf(location), position: positionNow() };
    index = indexNow();
    if (historyAction === 'PUSH') entries.length = index;
    const position = historyAction === 'POP' ? entries[index]?.position : undefined;
    entries[index] = { path: pathOf(next) };
    location = next;
    if (samePage && !toTopOnly) return;
    arriving = { position, kept: new Set(boxes()), toTopOnly };
    navigated = true;
    settleUntilInput();
  });
}

/** Whether the entry before this one in the history is that path. */
export function isPreviousPage(path: string): boolean {
  const before = entries[index - 1]?.path;
  return before !== undefined && (path.includes('?') ? before === path : before.split('?')[0] === path);
}

function settleUntilInput(): void {
  settling.abort();
  settling = new AbortController();
  const { signal } = settling;
  for (const input of INPUTS)
    addEventListener(input, () => settling.abort(), { capture: true, passive: true, once: true, signal });
}

/** Moves the focus, unless the new page or the member has put it somewhere. */
function moveFocus(element: HTMLElement | null | undefined): void {
  const { activeElement } = document;
  const free = [null, document.body, clicked, focused].includes(activeElement);
  if (!element || !free || !navigated || settling.signal.aborted || document.querySelector('dialog[open]'))
    return;
  element.focus({ preventScroll: true });
  focused = element;
}

function focusHeading(): void {
  const heading = [...document.querySelectorAll<HTMLElement>('h1'), document.querySelector('main')].find(
    (one) => one && isDrawn(one),
  );
  if (!heading) return;
  heading.tabIndex = -1;
  moveFocus(heading);
}

/** Draws nothing: call it in the root of all pages, with the address. `announce` says a text to screen readers. */
export function usePageArrival(location: object, announce: (title: string) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each navigation
  useLayoutEffect(() => {
    if (!arriving) return;
    const { position, kept, toTopOnly } = arriving;
    arriving = null;
    if (position) restore(position, kept, announce);
    else scrollTo(0, 0);
    // A heading of the page may have taken the focus already (usePageHeading).
    if (!toTopOnly && !(focused?.isConnected && focused === document.activeElement)) focusHeading();
    clicked = null;
  }, [location]);
}

function restore(
  { top, boxes: tops, link }: Position,
  kept: Set<Element>,
  announce: (title: string) => void,
): void {
  const { signal } = settling;
  let wanted = link;
  let frame = 0;
  let hold: ReturnType<typeof setTimeout> | undefined;

  const apply = () => {
    frame = 0;
    if (Math.abs(scrollY - top) >= 1) scrollTo(0, top);
    const waiting = new Map(Object.entries(tops).filter(([, to]) => to > 0));
    for (const box of boxes()) {
      const { scrollBox = '' } = box.dataset;
      if (!kept.has(box)) box.scrollTop = tops[scrollBox] ?? 0;
      if (kept.has(box) || box.scrollTop === waiting.get(scrollBox)) waiting.delete(scrollBox);
    }
    const target = wanted && linksTo(wanted.href)[wanted.nth];
    if (target) {
      wanted = null;
      moveFocus(target as HTMLElement);
      // The heading is not read then: say where this is, once its title is set.
      setTimeout(() => announce(document.title));
    }
    if (!wanted && waiting.size === 0 && Math.abs(scrollY - top) < 1)
      hold ??= setTimeout(() => settling.abort(), HOLD_MS);
  };
  apply();
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(apply);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const stop = () => {
    observer.disconnect();
    clearTimeout(hold);
    cancelAnimationFrame(frame);
  };
  // The wheel may still run on from before; the position was set once.
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop);
}

/** For a heading that is drawn later than its page, or instead of another: it gets the focus that belongs to it. */
export function usePageHeading<Heading extends HTMLElement>() {
  const ref = useRef<Heading>(null);
  useLayoutEffect(() => moveFocus(ref.current), []);
  return ref;
}
