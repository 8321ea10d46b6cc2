/** What happened in the pages of a test, printed when it fails: a failure on another machine must be explained there. */
import type { BrowserContext, Page, TestInfo } from '@playwright/test';

const MAX_LINES = 100;

// A worker runs one test at a time.
let lines: string[] = [];
let startedAt = 0;

function add(text: string): void {
  lines.push(`${String(Date.now() - startedAt).padStart(6)} ms  ${text}`);
  if (lines.length > MAX_LINES) lines.shift();
}

/** Records navigations, errors, dialogs, and the API's responses in all pages of a context. */
export function logEvents(context: BrowserContext): void {
  context.on('page', logPage);
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) add(`${message.type()}: ${message.text()}`);
  });
  context.on('weberror', (error) => add(`uncaught: ${error.error().stack ?? error.error().message}`));
  context.on('requestfailed', (request) =>
    add(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`),
  );
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 || pathname.startsWith('/api/'))
      add(`${response.request().method()} ${pathname}: ${response.status()}`);
  });
}

function logPage(page: Page): void {
  page.on('framenavigated', (frame) => frame === page.mainFrame() && add(`at ${frame.url()}`));
  page.on('crash', () => add('the page crashed'));
}

/** Records one test, and prints what was recorded if it fails. */
export async function logTest(run: () => Promise<void>, info: TestInfo): Promise<void> {
  lines = [];
  startedAt = Date.now();
  await run();
  if (info.status !== info.expectedStatus)
    process.stdout.write(`The last events of "${info.title}":\n${lines.join('\n')}\n`);
}
