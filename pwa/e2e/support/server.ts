import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';

const root = path.resolve(import.meta.dirname, '../../..');
const binary = process.env.HEARTWARD_BIN ?? path.join(root, 'bin/heartward');

export type Mail = { from: string; to: string; subject: string; text: string; html: string; date: string };

/**
 * The real binary with its own data folder and its own PostgreSQL. It can be stopped, killed and started again on the
 * same port.
 */
export class Server {
  readonly dataDir = mkdtempSync(path.join(tmpdir(), 'hw-e2e-'));
  private child: ChildProcess | undefined;
  /** The mails read so far, by the name of their file. */
  private readonly mails = new Map<string, Mail>();

  private constructor(
    readonly port: number,
    private readonly env: Record<string, string>,
    private readonly options: string[],
  ) {}

  /** Starts a server on a free port of the loopback address; its database is a copy of an empty one (template.ts). */
  static async launch(env: Record<string, string> = {}, ...options: string[]): Promise<Server> {
    const server = new Server(await freePort(), env, options);
    const template = process.env.HEARTWARD_TEMPLATE;
    if (template) execFileSync('cp', ['-a', `${template}/.`, server.dataDir]);
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const log = createWriteStream(path.join(this.dataDir, 'server.log'), { flags: 'a' });
    const child = spawn(binary, ['serve', ...this.options], {
      env: this.variables(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    this.child = child;
    await this.waitUntilReady(child);
  }

  private variables(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      PORT: String(this.port),
      DATA_DIR: this.dataDir,
      METRICS_ADDR: 'off',
      RATE_LIMIT_SCALE: '1000',
      ...(process.env.HEARTWARD_CONNS && { DATABASE_CONNS: process.env.HEARTWARD_CONNS }), // set by template.ts
      ...this.env,
    };
  }

  /** Runs a command beside the running server and returns what it prints. */
  run(...command: string[]): string {
    return execFileSync(binary, command, { env: this.variables(), encoding: 'utf8' });
  }

  /** Ends the server as Ctrl-C does. */
  async stop(): Promise<void> {
    await this.end('SIGINT');
  }

  /** Kills the server without a shutdown. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Kills PostgreSQL under the running server, which must restart it. */
  killPostgres(): void {
    process.kill(Number(this.readPostmasterFile()[0]), 'SIGKILL');
  }

  /** Copies the database of the running server. Returns a function that replaces the database by the copy. */
  async backUp(): Promise<() => Promise<void>> {
    // A database can be copied or renamed only while it has no connections.
    const withoutConnections = async (...statements: string[]) => {
      const steps = [
        'ALTER DATABASE heartward ALLOW_CONNECTIONS false',
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = 'heartward'",
        ...statements,
      ];
      for (const step of steps) await this.query(step, [], 'postgres');
    };
    await withoutConnections(
      'CREATE DATABASE heartward_backup TEMPLATE heartward',
      'ALTER DATABASE heartward ALLOW_CONNECTIONS true',
    );
    return () =>
      withoutConnections(
        'ALTER DATABASE heartward RENAME TO heartward_lost',
        'ALTER DATABASE heartward_backup RENAME TO heartward',
      );
  }

  /** Runs a statement on the server's database and returns its rows. */
  async query<T extends pg.QueryResultRow>(
    sql: string,
    values: unknown[] = [],
    database = 'heartward',
  ): Promise<T[]> {
    const lines = this.readPostmasterFile();
    const client = new pg.Client({ host: lines[4], port: Number(lines[3]), user: 'postgres', database });
    await client.connect();
    try {
      return (await client.query<T>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Waits up to 30 s for a mail to an address whose subject contains a text, and returns the newest. */
  async mail(to: string, subject: string): Promise<Mail> {
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline) {
      const newest = this.readMails(to).find((mail) => mail.subject.includes(subject));
      if (newest) return newest;
      await pause();
    }
    throw new Error(`no mail "${subject}" arrived for ${to}`);
  }

  /** Stops the server and removes its data. */
  async remove(): Promise<void> {
    if (this.child) await this.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Returns the address of the mailbox's page; undefined before the server has printed it. */
  mailbox(): string | undefined {
    const printed = readFileSync(path.join(this.dataDir, 'server.log'), 'utf8').matchAll(
      /(\/dev\/mailbox\?token=\w+)\n/g,
    );
    const page = [...printed].at(-1)?.[1];
    return page && this.url + page;
  }

  /**
   * Returns the mails to an address, the newest first. It reads the files of the mailbox, each once: its page reads all of
   * them at each request, and a worker's server soon has hundreds.
   */
  private readMails(to: string): Mail[] {
    const folder = path.join(this.dataDir, 'mail');
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
    for (const name of names) {
      if (!this.mails.has(name))
        this.mails.set(name, JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Mail);
    }
    // The names begin with the time.
    return [...this.mails]
      .filter(([, mail]) => mail.to.toLowerCase() === to.toLowerCase())
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([, mail]) => mail);
  }

  private readPostmasterFile(): string[] {
    return readFileSync(path.join(this.dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  private async waitUntilReady(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (Date.now() < deadline) {
      if (child.exitCode !== null) {
        throw new Error(readFileSync(path.join(this.dataDir, 'server.log'), 'utf8'));
      }
      const ready = await fetch(`${this.url}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
      if (ready) return;
      await pause();
    }
    throw new Error('the server did not become ready');
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

/** Returns a free port. The caller must listen on it at once. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  if (!address || typeof address === 'string') throw new Error('no port');
  probe.close();
  await once(probe, 'close');
  return address.port;
}
