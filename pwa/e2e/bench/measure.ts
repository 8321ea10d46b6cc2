/** What the benchmarks in the browser share. */
import type { Browser, Page } from '@playwright/test';

/** A common phone is about four times slower than a desktop computer. */
export const SLOWDOWN = 4;

export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
export const print = (line: string) => process.stdout.write(`${line}\n`);
export const ms = (value: number) => `${value.toFixed(0)} ms`;

type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } };

/**
 * Returns the milliseconds of processor time of the longest task of the pages' main threads during `work`, which is
 * independent of the machine's load.
 */
export async function longestTask(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await work();
  const trace = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  const threads = trace.traceEvents.filter(({ args }) => args.name === 'CrRendererMain');
  const ids = new Set(threads.map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = trace.traceEvents.filter(
    ({ name, pid, tid }) => /RunTask$/.test(name) && ids.has(`${pid} ${tid}`),
  );
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
}

/** Returns the milliseconds between the frames of a page, on a processor slowed down SLOWDOWN times, during `work`. */
export async function recordFrames(page: Page, work: () => Promise<unknown>): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  const recording = await page.evaluateHandle(() => {
    const times: number[] = [];
    const record = (time: number) => {
      times.push(time);
      requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
    return times;
  });
  await work();
  const times = await recording.jsonValue();
  await session.detach();
  return times.slice(1).map((time, index) => time - (times[index] ?? time));
}
