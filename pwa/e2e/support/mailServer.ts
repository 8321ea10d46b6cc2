import { once } from 'node:events';
import net from 'node:net';

export type ReceivedMail = { to: string; raw: string };

/** A mail server on the loopback address, which accepts every mail until a test lets it refuse recipients. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** The answer to each RCPT command, such as "550 5.1.1 no such mailbox"; empty to accept. */
  refusal = '';
  private readonly sockets = new Set<net.Socket>();
  private readonly listener = net.createServer((socket) => this.serve(socket));

  private constructor() {}

  static async start(): Promise<MailServer> {
    const server = new MailServer();
    server.listener.listen(0, '127.0.0.1');
    await once(server.listener, 'listening');
    return server;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.listener.address() as net.AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.listener.close();
    await once(this.listener, 'close');
  }

  private serve(socket: net.Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.write('220 test\r\n');
    let buffer = '';
    let to = '';
    let raw: string | null = null;
    socket.on('data', (data) => {
      buffer += data.toString();
      for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (raw !== null) {
          if (line === '.') {
            this.mails.push({ to, raw });
            raw = null;
            socket.write('250 ok\r\n');
          } else {
            raw += `${line}\n`;
          }
          continue;
        }
        const command = line.slice(0, 4).toUpperCase();
        if (command === 'DATA') raw = '';
        if (command === 'RCPT') to = /<(.*)>/.exec(line)?.[1] ?? '';
        const refusal = command === 'RCPT' && this.refusal;
        socket.write(`${refusal || (command === 'DATA' ? '354 go on' : '250 ok')}\r\n`);
      }
    });
  }
}
