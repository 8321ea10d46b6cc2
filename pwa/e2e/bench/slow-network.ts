import { once } from 'node:events';
import net from 'node:net';
import { Transform } from 'node:stream';

/** Lighthouse's Slow 4G: the round trip in ms, and the rates in bytes a ms. */
const ROUND_TRIP_MS = 150;
const DOWN = (1638.4 * 1024) / 8 / 1000;
const UP = (750 * 1024) / 8 / 1000;

/**
 * A TCP proxy with the latency and the rates of Slow 4G, which slows the service worker's requests too. All connections
 * share the rates.
 */
export class SlowNetwork {
  private readonly listener = net.createServer((phone) => this.connect(phone));
  private readonly sockets = new Set<net.Socket>();
  private readonly downlink = new Link(DOWN);
  private readonly uplink = new Link(UP);

  /** The address of the proxy. */
  url = '';

  private constructor(private readonly port: number) {}

  /** Starts a proxy to a port of the loopback address. */
  static async start(port: number): Promise<SlowNetwork> {
    const network = new SlowNetwork(port);
    network.listener.listen(0, '127.0.0.1');
    await once(network.listener, 'listening');
    network.url = `http://127.0.0.1:${(network.listener.address() as net.AddressInfo).port}`;
    return network;
  }

  /** Ends all connections and accepts no more: the phone is offline. */
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.listener.close();
    await once(this.listener, 'close');
  }

  private connect(phone: net.Socket): void {
    const server = net.connect(this.port, '127.0.0.1');
    for (const socket of [phone, server]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        phone.destroy();
        server.destroy();
      });
    }
    // The handshake of a real connection takes a round trip before the first byte.
    phone.pipe(this.uplink.stream(ROUND_TRIP_MS)).pipe(server);
    server.pipe(this.downlink.stream(0)).pipe(phone);
  }
}

/** One direction of the network. */
class Link {
  /** When the link has sent all bytes that it was given, in ms of performance.now. */
  private freeAt = 0;

  constructor(private readonly rate: number) {}

  /** Returns a stream through this link; `handshakeMs` delays its first bytes. */
  stream(handshakeMs: number): Transform {
    const opensAt = performance.now() + handshakeMs;
    const inFlight: Buffer[] = [];
    const stream: Transform = new Transform({
      transform: (chunk: Buffer, _, next) => {
        const now = performance.now();
        this.freeAt = Math.max(this.freeAt, now, opensAt) + chunk.length / this.rate;
        inFlight.push(chunk);
        setTimeout(next, this.freeAt - now);
        setTimeout(() => stream.push(inFlight.shift()), this.freeAt - now + ROUND_TRIP_MS / 2);
      },
      flush: (done) => void setTimeout(done, ROUND_TRIP_MS / 2 + 1),
    });
    return stream;
  }
}
