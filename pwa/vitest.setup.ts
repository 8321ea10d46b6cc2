import { BroadcastChannel as NodeBroadcastChannel } from 'node:worker_threads';
import { afterAll, vi } from 'vitest';

const waitFor = vi.waitFor;

/** Sets the default timeout of `vi.waitFor` to 30 s. Vitest's is 1 s and cannot be configured. */
vi.waitFor = (condition, options = 30_000) => waitFor(condition, options);

/** The channels of this file, closed after it: the next file runs in the same process, and would get their messages. */
const channels = new Set<BroadcastChannel>();

globalThis.BroadcastChannel = class extends (NodeBroadcastChannel as unknown as typeof BroadcastChannel) {
  constructor(name: string) {
    super(name);
    channels.add(this);
  }
};

/**
 * Makes `digest` return a promise of this file's globals. Dexie follows its transactions through `await` by the class of
 * that promise, and Node's belongs to the process.
 */
const { subtle } = crypto;
const digest = subtle.digest.bind(subtle);
subtle.digest = async (...input) => digest(...input);

/** Not in these tests: a cancelled animation of happy-dom is an unhandled rejection, which it is not in a browser. */
Reflect.deleteProperty(Element.prototype, 'animate');

afterAll(() => {
  for (const channel of channels) channel.close();
  // What this file leaves running, such as the repeats of a failed request, starts no more timers: the next file would
  // wait for them.
  Object.assign(globalThis, { setTimeout: () => 0, setInterval: () => 0, requestAnimationFrame: () => 0 });
});
