/** Lighthouse, which only scripts/bench web installs, on a page of a running Chromium. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeLargestPaint, describeLongestTask, type TraceEvent } from './trace.ts';

const folder = path.resolve(import.meta.dirname, '../../../scripts/benchmarks/web/node_modules/lighthouse');

type Audit = {
  numericValue?: number;
  score: number | null;
  title: string;
  details?: { items?: Item[] };
};
type Item = {
  type?: string;
  description?: string;
  snippet?: string;
  duration?: number;
  url?: string;
};
type Report = { audits: Record<string, Audit>; categories: Record<string, { score: number | null }> };
type Lighthouse = (url: string, flags: object, config: object) => Promise<Result | undefined>;
type Result = { lhr: Report; artifacts: { Trace?: { traceEvents: TraceEvent[] } } };

/** Scores are in percent, times in ms. */
export type Figures = {
  performance: number;
  accessibility: number;
  practices: number;
  lcp: number;
  tbt: number;
  cls: number;
  /** The longest task of the main thread in ms, on the slowed phone. */
  longestTask: number;
  /** What the longest task consists of. */
  longestTaskOf: string;
  /** The element of the largest paint as HTML. */
  largestPaint: string;
  /** The audits of accessibility and best practices that failed. */
  failed: string[];
};

const categories = ['performance', 'accessibility', 'best-practices'];

/** The phone preset with cleared storage. The session's cookie remains. */
const config = {
  extends: 'lighthouse:default',
  settings: {
    onlyCategories: categories,
    clearStorageTypes: [
      'file_systems',
      'shader_cache',
      'service_workers',
      'cache_storage',
      'indexeddb',
      'local_storage',
    ],
  },
};

/** Measures a page in the Chromium that listens on `port`. */
export async function measure(url: string, port: number): Promise<Figures> {
  const { default: lighthouse } = (await import(pathToFileURL(path.join(folder, 'core/index.js')).href)) as {
    default: Lighthouse;
  };
  const result = await lighthouse(url, { port, output: 'json', logLevel: 'error' }, config);
  if (!result) throw new Error(`Lighthouse returned nothing for ${url}`);
  const { audits, categories: scores } = result.lhr;
  const score = (name: string) => Math.round((scores[name]?.score ?? 0) * 100);
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  const items = (name: string) => audits[name]?.details?.items ?? [];
  const events = result.artifacts.Trace?.traceEvents ?? [];
  const [task] = items('long-tasks').toSorted((a, b) => (b.duration ?? 0) - (a.duration ?? 0));
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    practices: score('best-practices'),
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    longestTask: task?.duration ?? 0,
    longestTaskOf: describeLongestTask(events, url),
    largestPaint:
      items('lcp-breakdown-insight').find(({ type }) => type === 'node')?.snippet ??
      describeLargestPaint(events),
    failed: failedAudits(result.lhr),
  };
}

type Category = { auditRefs?: { id: string; weight: number }[] };

function failedAudits({ audits, categories: scores }: Report): string[] {
  const auditRefs = categories
    .slice(1)
    .flatMap((name) => (scores[name] as Category | undefined)?.auditRefs ?? []);
  return auditRefs
    .filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0)
    .map(({ id }) => [audits[id]?.title ?? id, audits[id]?.details?.items?.[0]?.description ?? ''].join(' '));
}
