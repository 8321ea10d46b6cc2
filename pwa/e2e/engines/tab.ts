import type { Engine, KeyAction } from './engine.ts';
import { until } from './wait.ts';

/** Elements that are shown, by selector and, where given, by their accessible name. */
export type Target = { css: string; name?: string | RegExp };

export const button = (name: string | RegExp): Target => ({ css: 'button, [role=button]', name });
export const link = (name: string | RegExp): Target => ({ css: 'a[href]', name });
export const field = (name: string | RegExp): Target => ({ css: 'input, textarea', name });
export const heading = (name: string | RegExp): Target => ({ css: 'h1, h2, h3, h4', name });

/** Finds and uses elements as a member does: only those that are visible, at rest and not covered. */
export class Tab {
  readonly engine: Engine;
  private readonly origin: string;

  constructor(engine: Engine, origin: string) {
    this.engine = engine;
    this.origin = origin;
  }

  async open(path: string): Promise<void> {
    await this.engine.open(this.origin + path);
  }

  /** Returns the texts of the visible elements, in document order. */
  async texts(target: Target): Promise<string[]> {
    return (await this.find(target)).map(({ text }) => text);
  }

  async waitFor(target: Target): Promise<void> {
    await this.until(`find ${describeTarget(target)}`, async () => (await this.find(target)).length > 0);
  }

  async waitForText(text: string): Promise<void> {
    await this.until(`find the text "${text}"`, async () => (await this.text()).includes(text));
  }

  /** Returns all visible text. */
  async text(): Promise<string> {
    // biome-ignore lint/performance/useDomNodeTextContent: textContent includes what is hidden
    return this.engine.call(() => document.body.innerText);
  }

  async path(): Promise<string> {
    return this.engine.call(() => location.pathname + location.search);
  }

  /** Clicks the first visible element with the mouse once it is at rest and not covered. */
  async click(target: Target): Promise<void> {
    let before = '';
    const { x, y } = await this.until(`click ${describeTarget(target)}`, async () => {
      const [found] = await this.find(target);
      const now = JSON.stringify(found);
      const still = now === before;
      before = now;
      return still && found?.reachable ? found : null;
    });
    await this.engine.perform([
      {
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', x, y, duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ]);
  }

  /** Clicks into a field, types, and waits until the field shows the text. */
  async type(target: Target, text: string): Promise<void> {
    await this.click(target);
    await this.until(`focus ${describeTarget(target)}`, async () => (await this.find(target))[0]?.focused);
    await this.press(text);
    await this.until(`${describeTarget(target)} shows "${text}"`, async () => {
      return (await this.find(target))[0]?.value === text;
    });
  }

  /** Types each character; WebDriver's code points stand for keys such as ENTER. */
  async press(keys: string): Promise<void> {
    const actions = [...keys].flatMap((value): KeyAction[] => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.engine.perform([{ type: 'key', id: 'keyboard', actions }]);
  }

  /** Waits as `until` in wait.ts does; the error also contains what the window shows. */
  async until<T>(what: string, poll: () => Promise<T | false | null | undefined>): Promise<NonNullable<T>> {
    return until(what, poll).catch(async (error: Error) => {
      const shown = await this.text().catch(() => '(the page cannot be read)');
      const path = await this.path().catch(() => '?');
      throw new Error(`${error.message}\n${path} shows:\n${shown}\n${this.engine.consoleErrors.join('\n')}`);
    });
  }

  private async find({ css, name }: Target): Promise<Found[]> {
    const pattern = name instanceof RegExp ? { source: name.source, flags: name.flags } : name;
    return this.engine.call(findShown, css, pattern ?? null);
  }
}

export const ENTER = '\uE007';

const describeTarget = ({ css, name }: Target): string => (name === undefined ? css : `${css} named ${name}`);

type Found = {
  text: string;
  value: string | null;
  focused: boolean;
  /** A click in its middle would reach it. */
  reachable: boolean;
  x: number;
  y: number;
};
type Pattern = string | { source: string; flags: string } | null;

/** In the page: returns the visible elements with that name, and scrolls the first into view. */
function findShown(css: string, name: Pattern): Found[] {
  const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim();
  const nameOf = (element: HTMLElement): string => {
    const label = element.getAttribute('aria-label');
    if (label) return collapseSpaces(label);
    const labelIds = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    if (labelIds.length)
      return collapseSpaces(labelIds.map((id) => document.getElementById(id)?.textContent).join(' '));
    const labels = (element as HTMLInputElement).labels;
    return collapseSpaces(
      labels?.length ? [...labels].map((one) => one.textContent).join(' ') : element.textContent,
    );
  };
  const matches = (element: HTMLElement) => {
    if (name === null) return true;
    if (typeof name === 'string') return nameOf(element) === name;
    return new RegExp(name.source, name.flags).test(nameOf(element));
  };
  const shown = [...document.querySelectorAll<HTMLElement>(css)].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && matches(element),
  );
  const middleOf = (element: HTMLElement) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
  };
  const [first] = shown;
  const middle = first && middleOf(first);
  if (middle && !(middle.x >= 0 && middle.x < innerWidth && middle.y >= 0 && middle.y < innerHeight))
    first.scrollIntoView({ block: 'center', behavior: 'instant' });
  // During a view transition a click reaches a picture of the page, although elementFromPoint names the element.
  const inTransition = document.getAnimations().some(({ effect }) => {
    return (effect as KeyframeEffect | null)?.pseudoElement?.startsWith('::view-transition');
  });
  return shown.map((element) => {
    const { x, y } = middleOf(element);
    const hit = document.elementFromPoint(x, y);
    const label = (element as HTMLInputElement).labels?.[0];
    return {
      text: collapseSpaces(element.textContent),
      value: 'value' in element ? String(element.value) : null,
      focused: document.activeElement === element,
      reachable:
        !inTransition &&
        hit !== null &&
        (element.contains(hit) || label?.contains(hit) === true) &&
        !element.matches(':disabled, [aria-disabled=true], [aria-busy=true] *'),
      x,
      y,
    };
  });
}
