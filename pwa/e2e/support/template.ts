import type { FullConfig } from '@playwright/test';
import { Server } from './server.ts';

/**
 * Makes the data folder that each server of a run starts with a copy of: PostgreSQL's files and the migrated tables.
 * A copy starts in a quarter of the time.
 */
export default async function prepare({ projects }: FullConfig): Promise<() => Promise<void>> {
  const server = await Server.launch();
  // Benchmarks measure the server as it is shipped.
  if (projects.every(({ name }) => name !== 'bench')) await planStatementsOnce(server);
  await server.stop();
  process.env.HEARTWARD_TEMPLATE = server.dataDir;
  return () => server.remove();
}

/**
 * Limits what the servers of the tests spend on plans, which was a fifth of their work, because they are young. Each
 * connection plans each statement once, as in the databases of the Go tests, where PostgreSQL by default plans the first
 * five runs anew; and a server has the fewest connections that the program allows.
 */
async function planStatementsOnce(server: Server): Promise<void> {
  await server.query('ALTER DATABASE heartward SET plan_cache_mode = force_generic_plan');
  process.env.HEARTWARD_CONNS = '12';
}
