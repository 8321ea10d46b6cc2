/** A push service on the loopback address, in the part of Mozilla's protocol that Firefox needs. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

type Request = { messageType?: string; channelID?: string; updates?: { code?: number }[] };

/** The answer of a Firefox that has given a push to the worker. */
export const DELIVERED = 100;

export class PushService {
  private socket: Duplex | undefined;
  private device = randomUUID();
  /** The channels of the subscriptions, the newest last. */
  private readonly channels: string[] = [];
  /** What Firefox answered to each push: DELIVERED, or that it could not read it or had no worker for it. */
  readonly answers: number[] = [];
  private readonly listener = http.createServer();

  static async start(): Promise<PushService> {
    const service = new PushService();
    service.listener.on('upgrade', ({ headers }, socket: Duplex) => {
      service.accept(headers['sec-websocket-key'] ?? '', socket);
    });
    service.listener.listen(0, '127.0.0.1');
    await once(service.listener, 'listening');
    return service;
  }

  /** The preferences of a Firefox that uses this service, and connects to it again at once. */
  get preferences(): Record<string, boolean | number | string> {
    return {
      'dom.push.connection.enabled': true,
      'dom.push.serverURL': `ws://127.0.0.1:${(this.listener.address() as AddressInfo).port}/`,
      'dom.push.testing.allowInsecureServerURL': true,
      'dom.push.retryBaseInterval': 100,
      // Notifications are drawn by Firefox: there may be no service of the system.
      'alerts.useSystemBackend': false,
    };
  }

  /** The address of a subscription, at a host that does not exist. */
  static endpointOf = (channel: string): string => `https://push.test/${channel}`;

  get newestEndpoint(): string {
    return PushService.endpointOf(this.channels.at(-1) ?? '');
  }

  /** Sends a push without data to the newest subscription. */
  push(): void {
    this.send({ messageType: 'notification', channelID: this.channels.at(-1), version: randomUUID() });
  }

  /** Forgets the device and its subscriptions, which it learns when it connects again. */
  forgetDevice(): void {
    this.device = randomUUID();
    this.socket?.destroy();
  }

  close(): void {
    this.socket?.destroy();
    this.listener.close();
  }

  private accept(key: string, socket: Duplex): void {
    this.socket = socket;
    const token = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        `Sec-WebSocket-Protocol: push-notification\r\nSec-WebSocket-Accept: ${token}\r\n\r\n`,
    );
    let received: Buffer = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (let frame = readFrame(received); frame; frame = readFrame(received)) {
        received = received.subarray(frame.size);
        if (frame.text !== null) this.answer(JSON.parse(frame.text) as Request);
      }
    });
  }

  private answer({ messageType, channelID, updates }: Request): void {
    if (messageType === undefined) this.send({}); // a ping
    if (messageType === 'ack') for (const { code } of updates ?? []) this.answers.push(code ?? 0);
    if (messageType === 'hello')
      this.send({ messageType, uaid: this.device, status: 200, use_webpush: true, broadcasts: {} });
    if (messageType === 'register' && channelID) {
      this.channels.push(channelID);
      this.send({ messageType, channelID, status: 200, pushEndpoint: PushService.endpointOf(channelID) });
    }
    if (messageType === 'unregister') this.send({ messageType, channelID, status: 200 });
  }

  private send(message: object): void {
    const text = Buffer.from(JSON.stringify(message));
    const head = text.length < 126 ? [0x81, text.length] : [0x81, 126, text.length >> 8, text.length & 0xff];
    this.socket?.write(Buffer.concat([Buffer.from(head), text]));
  }
}

/** Returns the first frame of a client, which is masked; null if it is incomplete. Other frames than texts have no text. */
function readFrame(from: Buffer): { size: number; text: string | null } | null {
  if (from.length < 2) return null;
  const short = from.readUInt8(1) & 0x7f;
  const start = short === 126 ? 4 : 2;
  if (short === 127) throw new Error('the frame is too long');
  if (from.length < start + 4) return null;
  const length = short === 126 ? from.readUInt16BE(2) : short;
  const size = start + 4 + length;
  if (from.length < size) return null;
  const mask = from.subarray(start, start + 4);
  const text = from.subarray(start + 4, size).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return { size, text: (from.readUInt8(0) & 0x0f) === 1 ? text.toString() : null };
}
