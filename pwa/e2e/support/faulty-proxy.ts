import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { Server } from './server.ts';

/** What happens to a response of the server. */
type Verdict = 'deliver' | 'cut';

/**
 * An HTTP proxy between phone and server that can cut off a response after the server has processed the request, so
 * that the phone does not learn the outcome.
 */
export class FaultyProxy {
  /** Called when the server has responded and before the phone gets the response. */
  onResponse: (request: http.IncomingMessage) => Verdict | Promise<Verdict> = () => 'deliver';
  private readonly listener = http.createServer((request, response) => {
    void this.forward(request, response);
  });

  private constructor(private readonly server: Server) {
    this.listener.on('upgrade', (request, socket, head) => {
      this.tunnel(request, socket as net.Socket, head);
    });
  }

  static async start(server: Server): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(server);
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

  private async forward(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
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
      const [upstreamResponse] = (await once(upstream, 'response')) as [http.IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of upstreamResponse) chunks.push(chunk as Buffer);
      if ((await this.onResponse(request)) === 'cut') {
        response.destroy();
        return;
      }
      response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
      response.end(Buffer.concat(chunks));
    } catch {
      // The server is down: the phone sees a broken connection, as without a proxy.
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
