import { delayCelebrationEnd } from '../support/phones.ts';

/** One browser with one window of 390×844 pixels and an empty profile. */
export interface Engine {
  /** Loads an address as if it were typed, and resolves once the document has loaded. */
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Goes one entry back in the window's history. */
  back(): Promise<void>;
  /**
   * Calls a function in the page and awaits its promise. Arguments and result are passed as JSON; the function cannot
   * use outer names. It must not wait for something that ends with the page: such a call fails, in WebKit after 10 s.
   */
  call<A extends unknown[], R>(work: (...values: A) => R | Promise<R>, ...values: A): Promise<R>;
  /** Performs input in the form that WebDriver and WebDriver BiDi share. */
  perform(actions: InputSource[]): Promise<void>;
  /** The folder into which the browser saves files. */
  readonly downloads: string;
  /** The console's errors and warnings, uncaught errors and policy violations; the caller empties it. */
  readonly consoleErrors: string[];
  close(): Promise<void>;
}

export type InputSource =
  | { type: 'key'; id: string; actions: KeyAction[] }
  | { type: 'pointer'; id: string; parameters: { pointerType: 'mouse' }; actions: PointerAction[] };

export type KeyAction = { type: 'keyDown' | 'keyUp'; value: string };
type PointerAction =
  | { type: 'pointerMove'; x: number; y: number; duration: number }
  | { type: 'pointerDown' | 'pointerUp'; button: number };

/** Runs in every page before the app: neither engine reports policy violations or unhandled rejections by itself. */
export const pageScript = `
(${delayCelebrationEnd})();
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  console.error('policy violation: ' + violatedDirective + ' ' + blockedURI + ' ' + sample));
addEventListener('unhandledrejection', ({ reason }) => console.error('unhandled rejection: ' + reason));
`;

/** An expression that calls `work` and resolves with its result as JSON. */
export function callExpression(work: (...values: never[]) => unknown, values: unknown[]): string {
  return `(async () => JSON.stringify(await (${work})(...${JSON.stringify(values)})) ?? 'null')()`;
}
