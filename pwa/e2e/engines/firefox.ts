import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callExpression, type Engine, type InputSource, pageScript } from './engine.ts';
import { within } from './wait.ts';

const binary = process.env.FIREFOX ?? 'firefox-esr';

/** Preferences against requests of Firefox's own. Under remote control it sets most of this kind itself. */
const preferences = {
  'app.normandy.enabled': false,
  'browser.region.network.url': '',
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'browser.download.folderList': 2,
  // No saved picture is opened in a tab of its own, which would hide the page.
  'browser.download.viewableInternally.enabledTypes': '',
  'dom.push.connection.enabled': false,
  'extensions.getAddons.cache.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  // A microphone and a camera that need no permission.
  'media.navigator.permission.disabled': true,
  'media.navigator.streams.fake': true,
  // Notifications that need no permission.
  'permissions.default.desktop-notification': 1,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,none',
  'toolkit.telemetry.server': 'data:,none',
};

type Message = {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: string;
  message?: string;
};
type LogEntry = { type: string; level: string; text: string | null };

/** Starts Firefox without a window in a time zone, with further preferences, and connects to it by WebDriver BiDi. */
export async function startFirefox(
  timeZone: string,
  more: Record<string, boolean | number | string> = {},
): Promise<Engine> {
  const profile = mkdtempSync(path.join(tmpdir(), 'hw-firefox-'));
  const downloads = path.join(profile, 'downloads');
  mkdirSync(downloads);
  writeFileSync(
    path.join(profile, 'user.js'),
    Object.entries({ ...preferences, 'browser.download.dir': downloads, ...more })
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  );
  const child = spawn(
    binary,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { env: { ...process.env, HOME: profile, TZ: timeZone }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const firefox = new Firefox(child, profile);
  try {
    await firefox.connect(await within(60_000, 'Firefox starts', endpoint(child)));
  } catch (error) {
    await firefox.close();
    throw error;
  }
  return firefox;
}

/** Reads the address of the BiDi socket from Firefox's output. */
async function endpoint(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk;
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(output)?.[1];
      if (address) resolve(`${address}/session`);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Firefox ended: ${output}`)));
  });
}

class Firefox implements Engine {
  readonly consoleErrors: string[] = [];
  readonly downloads: string;
  private socket: WebSocket | undefined;
  private context = '';
  private lastId = 0;
  private readonly pending = new Map<number, (message: Message) => void>();
  private readonly child: ChildProcess;
  private readonly profile: string;

  constructor(child: ChildProcess, profile: string) {
    this.child = child;
    this.profile = profile;
    this.downloads = path.join(profile, 'downloads');
  }

  async connect(address: string): Promise<void> {
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener('message', ({ data }) => this.receive(JSON.parse(String(data)) as Message));
    await within(10_000, 'Firefox accepts the BiDi socket', once(socket, 'open'));
    await this.send('session.new', { capabilities: {} });
    const { contexts } = (await this.send('browsingContext.getTree', {})) as {
      contexts: { context: string }[];
    };
    this.context = contexts[0]?.context ?? '';
    await this.send('session.subscribe', { events: ['log.entryAdded'] });
    await this.send('script.addPreloadScript', { functionDeclaration: `() => {${pageScript}}` });
    await this.send('browsingContext.setViewport', {
      context: this.context,
      viewport: { width: 390, height: 844 },
    });
  }

  async open(url: string): Promise<void> {
    await this.send('browsingContext.navigate', { context: this.context, url, wait: 'complete' });
  }

  async reload(): Promise<void> {
    await this.send('browsingContext.reload', { context: this.context, wait: 'complete' });
  }

  async back(): Promise<void> {
    await this.send('browsingContext.traverseHistory', { context: this.context, delta: -1 });
  }

  async call<A extends unknown[], R>(work: (...values: A) => R | Promise<R>, ...values: A): Promise<R> {
    const reply = (await this.send('script.evaluate', {
      expression: callExpression(work, values),
      target: { context: this.context },
      awaitPromise: true,
    })) as { type: string; result?: { value: string }; exceptionDetails?: { text: string } };
    if (!reply.result) throw new Error(reply.exceptionDetails?.text);
    return JSON.parse(reply.result.value) as R;
  }

  async perform(actions: InputSource[]): Promise<void> {
    await this.send('input.performActions', { context: this.context, actions });
  }

  async close(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      if (this.socket?.readyState === WebSocket.OPEN) {
        await this.send('browser.close', {}).catch(() => this.child.kill('SIGKILL'));
      } else this.child.kill('SIGKILL');
      await within(20_000, 'Firefox ends', ended).catch(() => this.child.kill('SIGKILL'));
    }
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private async send(method: string, params: object): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    const reply = new Promise<Message>((resolve) => this.pending.set(id, resolve));
    this.socket?.send(JSON.stringify({ id, method, params }));
    const { error, message, result } = await within(60_000, `Firefox: ${method}`, reply);
    if (error) throw new Error(`${method}: ${error}: ${message}`);
    return result;
  }

  private receive(message: Message): void {
    if (message.id !== undefined) {
      this.pending.get(message.id)?.(message);
      this.pending.delete(message.id);
    } else if (message.method === 'log.entryAdded') {
      const { level, type, text } = message.params as LogEntry;
      if (level === 'error' || level === 'warn') this.consoleErrors.push(`${type} ${level}: ${text}`);
    }
  }
}
