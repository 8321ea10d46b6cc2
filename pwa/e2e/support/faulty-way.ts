import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { Server } from './server.ts';

/** What happens to an answer that the server has given. */
type Verdict = 'deliver' | 'cut';

/**
 * The way between phone and server, where it can break: an answer can be cut
 * off after the server has done its work, so the phone cannot know.
 */
export class FaultyWay {
  /** Called when the server has answered and the phone has not heard of it yet. */
  onAnswer: (request: http.IncomingMessage) => Verdict | Promise<Verdict> = () => 'deliver';
  private readonly listener = http.createServer((request, response) => {
    void this.pass(request, response);
  });

  private constructor(private readonly server: Server) {
    this.listener.on('upgrade', (request, socket, head) => {
      this.tunnel(request, socket as net.Socket, head);
    });
  }

  static async before(server: Server): Promise<FaultyWay> {
    const proxy = new FaultyWay(server);
    proxy.listener.listen(0, '127.0.0.1');
    await once(proxy.listener, 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.listener.address() as net.AddressInfo;
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.listener.closeAllConnections();
    this.listener.close();
    await once(this.listener, 'close');
  }

  private async pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const upstream = http.request({
      host: '127.0.0.1',
      port: this.server.port,
      method: request.method,
      path: request.url,
      headers: request.headers,
      agent: false,
    });
    request.pipe(upstream);
    try {
      const [answer] = (await once(upstream, 'response')) as [http.IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      if ((await this.onAnswer(request)) === 'cut') {
        response.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.end(Buffer.concat(chunks));
    } catch {
      // The server is away: the phone sees a broken connection, as it would.
      response.destroy();
    }
  }

  private tunnel(request: http.IncomingMessage, socket: net.Socket, head: Buffer): void {
    const upstream = net.connect(this.server.port, '127.0.0.1', () => {
      const headers = [];
      for (let i = 0; i < request.rawHeaders.length; i += 2) {
        headers.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}\r\n`);
      }
      upstream.write(`${request.method} ${request.url} HTTP/1.1\r\n${headers.join('')}\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    const end = () => {
      upstream.destroy();
      socket.destroy();
    };
    upstream.on('error', end).on('close', end);
    socket.on('error', end).on('close', end);
  }
}
