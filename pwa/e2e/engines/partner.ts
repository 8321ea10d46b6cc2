import type { APIRequestContext } from '@playwright/test';
import { codeFor } from '../support/phones.ts';
import type { Server } from '../support/server.ts';
import { until } from './wait.ts';

type Message = { seq: number; content: string };

/** A demo member who acts through the API. */
export class Partner {
  readonly id: string;
  private readonly http: APIRequestContext;
  private readonly server: Server;

  private constructor(http: APIRequestContext, server: Server, id: string) {
    this.http = http;
    this.server = server;
    this.id = id;
  }

  /** Signs in by mailed code as the member whom `memberId` liked. */
  static async likedBy(memberId: string, server: Server, http: APIRequestContext): Promise<Partner> {
    const member = await until('the like is stored', async () => {
      const rows = await server.query<{ id: string; email: string }>(
        'SELECT u.id, u.email FROM users u JOIN user_likes l ON l.to_user_id = u.id WHERE l.from_user_id = $1',
        [memberId],
      );
      return rows[0];
    });
    return Partner.signedIn(member, server, http);
  }

  /** Signs in by mailed code as a member. */
  static async signedIn(
    { id, email }: { id: string; email: string },
    server: Server,
    http: APIRequestContext,
  ): Promise<Partner> {
    const partner = new Partner(http, server, id);
    await partner.post('/api/auth/code', { email });
    await partner.post('/api/auth/login', { email, code: await codeFor(server, email) });
    return partner;
  }

  async like(memberId: string): Promise<void> {
    await this.post('/api/likes', { toUserId: memberId, likeType: 'like' });
  }

  async write(memberId: string, content: string): Promise<void> {
    await this.post('/api/messages', { recipientId: memberId, content, clientId: crypto.randomUUID() });
  }

  /** Waits until exactly these messages are in the conversation, in this order, and marks them as read. */
  async read(memberId: string, expected: string[]): Promise<void> {
    const last = await until(`the server has ${expected.join(' | ')}`, async () => {
      const response = await this.http.get(`${this.server.url}/api/messages/${memberId}`);
      const messages = ((await response.json()) as Message[]).sort((a, b) => a.seq - b.seq);
      const same = JSON.stringify(messages.map(({ content }) => content)) === JSON.stringify(expected);
      return same && messages.at(-1)?.seq;
    });
    await this.post(`/api/messages/${memberId}/receipts`, { deliveredSeq: last, readSeq: last });
  }

  private async post(path: string, data: object): Promise<void> {
    const response = await this.http.post(this.server.url + path, { data });
    if (!response.ok()) throw new Error(`POST ${path}: ${response.status()} ${await response.text()}`);
  }
}
