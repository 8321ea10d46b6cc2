import { test as base } from '@playwright/test';
import { Server } from '../support/server.ts';
import type { Engine } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { startWebKit } from './webkit.ts';

const launchers: Record<string, (timeZone: string) => Promise<Engine>> = {
  firefox: startFirefox,
  webkit: startWebKit,
};

/** A server with the demo members and further variables, and the engine of the project on a device in a time zone. */
export const test = base.extend<{
  server: Server;
  engine: Engine;
  deviceZone: string;
  serverEnv: Record<string, string>;
}>({
  deviceZone: ['America/New_York', { option: true }],
  serverEnv: [{}, { option: true }],
  server: async ({ serverEnv }, use) => {
    const server = await Server.launch(serverEnv, '--demo');
    await use(server);
    await server.remove();
  },
  engine: async ({ deviceZone }, use, { project }) => {
    const start = launchers[project.name];
    if (!start) throw new Error(`no engine is named ${project.name}`);
    const engine = await start(deviceZone);
    await use(engine);
    await engine.close();
  },
});
