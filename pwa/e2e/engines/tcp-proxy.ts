import { once } from 'node:events';
import net from 'node:net';

/** Forwards a port of its own to another one. While disconnected, connections break and new ones are refused. */
export class TcpProxy {
  private port = 0;
  private readonly sockets = new Set<net.Socket>();
  private readonly listener = net.createServer((client) => this.forward(client));

  private readonly target: number;

  private constructor(target: number) {
    this.target = target;
  }

  static async start(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await proxy.connect();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens, on the same port as before. */
  async connect(): Promise<void> {
    this.listener.listen(this.port, '127.0.0.1');
    await once(this.listener, 'listening');
    this.port = (this.listener.address() as net.AddressInfo).port;
  }

  async disconnect(): Promise<void> {
    const closed = once(this.listener, 'close');
    this.listener.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private forward(client: net.Socket): void {
    const server = net.connect(this.target, '127.0.0.1');
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.pipe(server).pipe(client);
  }
}
