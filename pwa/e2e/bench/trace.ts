/** Reads the trace that Lighthouse has recorded of a page. */

export type TraceEvent = {
  name: string;
  ph: string;
  /** In µs, like `dur`, and `tdur`, the time of the processor. */
  ts: number;
  dur?: number;
  tdur?: number;
  pid: number;
  tid: number;
  args?: {
    data?: {
      documentLoaderURL?: string;
      url?: string;
      functionName?: string;
      /** Of a largest paint: image or text, the element, and its area. */
      type?: string;
      nodeName?: string;
      size?: number;
    };
  };
};

/** Returns the largest paint, also one whose element is no longer in the page. */
export function describeLargestPaint(events: TraceEvent[]): string {
  const paint = events.findLast(({ name }) => name === 'largestContentfulPaint::Candidate');
  const { type, nodeName, size, url } = paint?.args?.data ?? {};
  return paint ? `${type} of ${size} px in ${nodeName} ${url ?? ''}` : 'unknown';
}

const PARTS = 4;

/**
 * Returns the parts of the task that uses the processor longest, with their own times, the largest first. Beside other
 * programs a task lasts longer than that. The processor is not slowed.
 */
export function describeLongestTask(events: TraceEvent[], url: string): string {
  const start = events.findLast(
    ({ name, args }) => name === 'navigationStart' && args?.data?.documentLoaderURL?.startsWith(url),
  );
  const onMainThread = events
    .filter(({ ph, pid, tid, dur }) => ph === 'X' && dur && pid === start?.pid && tid === start.tid)
    .filter(({ ts }) => ts >= (start?.ts ?? 0));
  const tasks = onMainThread.filter(({ name }) => name.endsWith('RunTask')).sort((a, b) => busy(b) - busy(a));
  const [longest] = tasks;
  if (!longest) return 'an unknown task';
  const inside = onMainThread.filter(
    ({ ts, dur = 0 }) => ts >= longest.ts && ts + dur <= longest.ts + (longest.dur ?? 0),
  );
  const parts = Object.entries(ownTimes(inside)).sort(([, a], [, b]) => b - a);
  const list = parts.slice(0, PARTS).map(([name, time]) => `${name} ${inMs(time)}`);
  return `${inMs(busy(longest))} of the processor: ${list.join(', ')}`;
}

const busy = ({ tdur, dur = 0 }: TraceEvent): number => tdur ?? dur;
const inMs = (time: number): string => `${(time / 1000).toFixed(0)} ms`;
const byDuration = (a: TraceEvent, b: TraceEvent) => (b.dur ?? 0) - (a.dur ?? 0);

/** Returns the time of the events of each label without the events inside them. */
function ownTimes(events: TraceEvent[]): Record<string, number> {
  const times: Record<string, number> = {};
  const add = (event: TraceEvent, time: number) => {
    times[labelOf(event)] = (times[labelOf(event)] ?? 0) + time;
  };
  const open: TraceEvent[] = [];
  for (const event of events.toSorted((a, b) => a.ts - b.ts || byDuration(a, b))) {
    let outer = open.at(-1);
    while (outer && outer.ts + (outer.dur ?? 0) <= event.ts) {
      open.pop();
      outer = open.at(-1);
    }
    if (outer) add(outer, -busy(event));
    add(event, busy(event));
    open.push(event);
  }
  return times;
}

const labelOf = ({ name, args }: TraceEvent): string => {
  const file = args?.data?.url?.split('/').at(-1);
  return [name, args?.data?.functionName, file].filter(Boolean).join(' ');
};
