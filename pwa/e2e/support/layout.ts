import { expect, type Page, type Request } from '@playwright/test';

const WIDTHS = [320, 390, 768, 1440];
const THEMES = ['light', 'dark', 'taco'];

/** The sizes of text: the browser's default, doubled, and raised to a minimum, as browsers' settings can demand. */
const SIZES = ['100%', '200%', 'at least 16 px'] as const;

/**
 * Returns the faults of the layout at four widths, in three themes and with text of three sizes (at 320 px not of double
 * size): sideways scroll, texts that are outside of their box or of the window, ellipses that leave fewer than three
 * letters, and broken words, except in members' texts.
 */
export async function findLayoutFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    const sizes = SIZES.filter((size) => width >= 390 || size !== '200%');
    const found = await page.evaluate(faultsInThemes, { themes: THEMES, sizes });
    faults.push(...found.map((fault) => `${width} px, ${fault}`));
  }
  return [...new Set(faults)];
}

/** Returns the faults of the layout as it is now: at this width, and with text of the default size. */
export const findLayoutFaultsNow = (page: Page): Promise<string[]> =>
  page.evaluate(faultsInThemes, { themes: ['light'], sizes: ['100%' as const] });

/** In the page. */
function faultsInThemes({
  themes,
  sizes,
}: {
  themes: string[];
  sizes: readonly (typeof SIZES)[number][];
}): string[] {
  const root = document.documentElement;
  const theme = root.dataset.theme;
  const tolerance = 1.5;

  /** Whether an ancestor hides or scrolls what is outside of it, and how. */
  function clipOf(element: Element): 'scroll' | 'ellipsis' | 'clip' | null {
    const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element);
    if (/auto|scroll/.test(overflowX + overflowY)) return 'scroll';
    if (!/hidden|clip/.test(overflowX + overflowY)) return null;
    return textOverflow === 'ellipsis' || webkitLineClamp !== 'none' ? 'ellipsis' : 'clip';
  }

  const isOutside = (text: DOMRect, box: DOMRect) =>
    text.left < box.left - tolerance ||
    text.right > box.right + tolerance ||
    text.top < box.top - tolerance ||
    text.bottom > box.bottom + tolerance;

  /** Returns what cuts a text, or null. */
  function cutBy(text: DOMRect, from: Element): string | null {
    for (let box: Element | null = from; box && box !== document.body; box = box.parentElement) {
      const clip = clipOf(box);
      // The rest can be scrolled to, or is left out with an ellipsis.
      if (clip === 'scroll' || clip === 'ellipsis') return null;
      if (clip === 'clip' && isOutside(text, box.getBoundingClientRect())) return box.className;
    }
    return text.left < -tolerance || text.right > innerWidth + tolerance ? 'the window' : null;
  }

  /** Returns the words of a text that are broken over two lines. */
  function brokenWords(node: Text): string[] {
    return [...node.data.matchAll(/[a-z]{3,15}/gi)].flatMap(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      return lines.size > 1 ? [word] : [];
    });
  }

  const pen = document.createElement('canvas').getContext('2d');

  /** Returns how many letters and digits of a text are drawn before the ellipsis of its box; null without one. */
  function lettersBeforeEllipsis(node: Text, element: Element): number | null {
    const box = element.closest('.truncate');
    if (!box || !pen || clipOf(box) !== 'ellipsis' || box.scrollWidth <= box.clientWidth) return null;
    const style = getComputedStyle(box);
    pen.font = style.font;
    const ellipsis = pen.measureText('…').width;
    const { left, right } = box.getBoundingClientRect();
    const isRightToLeft = style.direction === 'rtl';
    const start = left + Number.parseFloat(style.paddingLeft) + (isRightToLeft ? ellipsis : 0);
    const end = right - Number.parseFloat(style.paddingRight) - (isRightToLeft ? 0 : ellipsis);
    return [...node.data.matchAll(/[\p{L}\p{N}]/gu)].filter(({ 0: letter, index }) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + letter.length);
      const rect = range.getBoundingClientRect();
      return rect.left >= start - tolerance && rect.right <= end + tolerance;
    }).length;
  }

  /** Returns a fault if an ellipsis leaves fewer than three letters of a text that has more. */
  function findCutLetters(node: Text, element: Element): string[] {
    const shown = lettersBeforeEllipsis(node, element);
    const all = [...node.data.matchAll(/[\p{L}\p{N}]/gu)].length;
    if (shown === null || shown >= Math.min(3, all)) return [];
    return [`an ellipsis leaves ${shown} of ${all} letters of "${node.data.trim().slice(0, 40)}"`];
  }

  function isShown(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect();
    const isDrawn = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    // A text for screen readers is 1 px large.
    return isDrawn && width > 1 && height > 1;
  }

  function faultsOf(node: Text): string[] {
    const element = node.parentElement;
    if (!element || !isShown(element) || element.closest('svg, option, .sr-only')) return [];
    const range = document.createRange();
    range.selectNodeContents(node);
    const words = node.data.trim().slice(0, 40);
    const cuts = [...range.getClientRects()].map((rect) => cutBy(rect, element)).filter(Boolean);
    const faults = cuts.length > 0 ? [`"${words}" is cut by ${cuts[0]}`] : [];
    faults.push(...findCutLetters(node, element));
    const mayBreak = element.closest('[dir=auto]:not(h1), bdi') !== null;
    if (!mayBreak) faults.push(...brokenWords(node).map((word) => `"${word}" is broken in "${words}"`));
    return faults;
  }

  /** Returns the last element that is outside of the window. */
  function findLastOutside(): string {
    const rightOf = (element: Element) => element.getBoundingClientRect().right;
    const wide = [...document.querySelectorAll('main *')].filter(
      (one) => rightOf(one) > root.clientWidth + 1,
    );
    const furthest = wide.at(-1) ?? document.body;
    return `${furthest.tagName} ${furthest.getAttribute('class')} ${furthest.textContent?.slice(0, 40)}`;
  }

  function faultsNow(): string[] {
    const faults: string[] = [];
    const wider = root.scrollWidth - root.clientWidth;
    if (wider > 0) faults.push(`scrolls sideways by ${wider} px: ${findLastOutside()}`);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      if (node.data.trim()) faults.push(...faultsOf(node));
    }
    return faults;
  }

  /** Raises the size of each smaller text, as a browser with a minimum does: rem and em stay as they are. */
  function raiseSmallTexts(least: number): () => void {
    const small = [...document.body.querySelectorAll<HTMLElement>('*')].filter(
      (element) => Number.parseFloat(getComputedStyle(element).fontSize) < least,
    );
    const before = small.map(({ style }) => style.fontSize);
    for (const { style } of small) style.fontSize = `${least}px`;
    return () => {
      for (const [index, { style }] of small.entries()) style.fontSize = before[index] ?? '';
    };
  }

  // Of cards that are skipped because they are far from the window only the height is known, as it was with the text before.
  const drawn = new CSSStyleSheet();
  drawn.replaceSync('.skip-unseen { content-visibility: visible !important; }');
  document.adoptedStyleSheets.push(drawn);
  const faults: string[] = [];
  for (const size of sizes) {
    root.style.fontSize = size.endsWith('%') ? size : '';
    const restore = size === 'at least 16 px' ? raiseSmallTexts(16) : () => undefined;
    for (const name of themes) {
      root.dataset.theme = name;
      faults.push(...faultsNow().map((fault) => `${size}: ${fault}`));
    }
    restore();
  }
  root.style.fontSize = '';
  root.dataset.theme = theme;
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== drawn);
  return faults;
}

/** In the page: returns the words of an element that are broken over two lines. */
export function findBrokenWords(element: Element): string[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  while (texts.nextNode()) {
    const node = texts.currentNode as Text;
    for (const { 0: word, index } of node.data.matchAll(/[a-z]+/gi)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
}

/** Returns the position of each heading, link and button with a text, by the text. */
export const positionsOf = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() => {
    const texts = [...document.querySelectorAll('h1, h2, h3, main a, main button')];
    const shown = texts.filter((element) => element.checkVisibility() && element.textContent);
    return Object.fromEntries(
      shown.map((element) => [
        element.textContent,
        Math.round(element.getBoundingClientRect().top + scrollY),
      ]),
    );
  });

/**
 * Records the page's requests from now on. Returns a function that waits until each has ended, and the page has done the
 * work that their responses cause.
 */
export function trackRequests(page: Page): () => Promise<void> {
  const inFlight = new Set<Request>();
  const remove = (request: Request) => void inFlight.delete(request);
  page.on('request', (request) => inFlight.add(request));
  page.on('requestfinished', remove);
  page.on('requestfailed', remove);
  const expectNone = () => expect([...inFlight].map((request) => request.url())).toEqual([]);
  return () =>
    expect(async () => {
      expectNone();
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
      expectNone();
    }).toPass({ timeout: 30_000 });
}

type LayoutShift = PerformanceEntry & {
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
};

/** Records, from the first paint of each document that the page opens, the elements that move in the window. */
export const recordLayoutShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const describeMove = ({ node, previousRect, currentRect }: LayoutShift['sources'][number]) =>
      `${node?.nodeName} "${node?.textContent?.slice(0, 40)}" ${previousRect.top} -> ${currentRect.top}`;
    const moves: string[] = [];
    const add = (entries: PerformanceEntryList) =>
      moves.push(...(entries as LayoutShift[]).flatMap(({ sources }) => sources.map(describeMove)));
    const observer = new PerformanceObserver((list) => void add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    Object.assign(globalThis, {
      layoutShifts: () => {
        add(observer.takeRecords());
        return moves;
      },
    });
  });

/** Returns the moves recorded by recordLayoutShifts in the current document. */
export const layoutShiftsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as never as { layoutShifts: () => string[] }).layoutShifts());
