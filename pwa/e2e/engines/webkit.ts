import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../support/server.ts';
import { callExpression, type Engine, type InputSource, pageScript } from './engine.ts';
import { until, within } from './wait.ts';

/** Starts WebKitGTK in a time zone, on a display of its own, and drives it by WebDriver. */
export async function startWebKit(timeZone: string, { blocksCookies = false } = {}): Promise<Engine> {
  const webkit = new WebKit(timeZone, blocksCookies);
  try {
    await webkit.start();
  } catch (error) {
    await webkit.close();
    throw error;
  }
  return webkit;
}

class WebKit implements Engine {
  readonly consoleErrors: string[] = [];
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'hw-webkit-'));
  readonly downloads = path.join(this.folder, 'profile', 'downloads');
  private readonly children: ChildProcess[] = [];
  private driver = '';
  private session = '';
  private readonly timeZone: string;
  private readonly blocksCookies: boolean;

  constructor(timeZone: string, blocksCookies: boolean) {
    this.timeZone = timeZone;
    this.blocksCookies = blocksCookies;
  }

  async start(): Promise<void> {
    const port = await freePort();
    const display = await within(20_000, 'Xvfb starts', this.startDisplay());
    this.run('WebKitWebDriver', [`--port=${port}`], {
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      GSETTINGS_BACKEND: 'memory',
      NO_AT_BRIDGE: '1',
    });
    this.driver = `http://127.0.0.1:${port}`;
    await until('WebKitWebDriver starts', () => this.request('GET', '/status').then(() => true));
    const script = path.join(this.folder, 'page.js');
    writeFileSync(script, pageScript);
    const { sessionId } = (await this.request('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          'webkitgtk:browserOptions': {
            binary: path.join(import.meta.dirname, 'webkit-window.py'),
            args: [
              path.join(this.folder, 'profile'),
              script,
              ...(this.blocksCookies ? ['--block-cookies'] : []),
            ],
          },
        },
      },
    })) as { sessionId: string };
    this.session = `/session/${sessionId}`;
    // A script that waits while its page is left returns only after this timeout.
    await this.request('POST', `${this.session}/timeouts`, { script: 10_000, pageLoad: 60_000 });
  }

  async open(url: string): Promise<void> {
    await this.request('POST', `${this.session}/url`, { url });
  }

  async reload(): Promise<void> {
    await this.request('POST', `${this.session}/refresh`, {});
  }

  async back(): Promise<void> {
    await this.request('POST', `${this.session}/back`, {});
  }

  async call<A extends unknown[], R>(work: (...values: A) => R | Promise<R>, ...values: A): Promise<R> {
    const script = `return ${callExpression(work, values)}`;
    return JSON.parse(
      (await this.request('POST', `${this.session}/execute/sync`, { script, args: [] })) as string,
    ) as R;
  }

  async perform(actions: InputSource[]): Promise<void> {
    await this.request('POST', `${this.session}/actions`, { actions });
  }

  async close(): Promise<void> {
    if (this.session) await this.request('DELETE', this.session).catch(() => undefined);
    for (const child of this.children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill();
      await within(10_000, 'WebKit ends', ended).catch(() => child.kill('SIGKILL'));
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Starts an X server with a virtual screen; it chooses a free display itself. */
  private async startDisplay(): Promise<string> {
    const child = this.run('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp']);
    for await (const line of createInterface({ input: child.stdio[3] as NodeJS.ReadableStream }))
      return `:${line}`;
    throw new Error('Xvfb named no display');
  }

  private run(command: string, args: string[], env: Record<string, string> = {}): ChildProcess {
    const home = this.folder;
    const child = spawn(command, args, {
      env: {
        PATH: process.env.PATH,
        HOME: home,
        TMPDIR: home,
        TZ: this.timeZone,
        LANG: 'C.UTF-8',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    child.on('error', (error) => this.consoleErrors.push(`${command}: ${error.message}`));
    child.stdout?.resume();
    if (child.stderr)
      createInterface({ input: child.stderr }).on('line', (line) => this.collectConsoleError(line));
    this.children.push(child);
    return child;
  }

  /** Collects the page's errors and warnings: "CONSOLE NETWORK ERROR …" or "http://…:1:2: CONSOLE JS ERROR …". */
  private collectConsoleError(line: string): void {
    // A notice that sizes are observed again in the next frame, which is no error.
    if (line.includes('ResizeObserver loop completed')) return;
    if (/CONSOLE (\S+ )?(ERROR|WARN)/.test(line)) this.consoleErrors.push(line);
  }

  private async request(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(this.driver + path, {
      method,
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(70_000),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (response.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`WebKit: ${method} ${path}: ${error}: ${message}`);
  }
}
