/** Functions that field.engine.ts calls in the page. They use no outer names. */
import type { ChosenFile } from './field-files.ts';

export type Peer = { id: string; firstName: string };

/** Signs in, and returns those with whom the demo member has conversations. */
export async function signInAsDemo(): Promise<Peer[]> {
  const response = await fetch('/api/auth/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'demo@heartward.test', password: 'heartward-demo' }),
  });
  if (!response.ok) throw new Error(await response.text());
  const conversations: { user: Peer; request: string }[] = await (await fetch('/api/conversations')).json();
  return conversations
    .filter(({ request }) => request === 'none')
    .map(({ user: { id, firstName } }) => ({ id, firstName }));
}

/** Returns a PNG picture in base64 whose left half is transparent and whose right half is red. */
export function drawHalfTransparent(): string {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [200, 100];
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = '#ff0000';
  context.fillRect(100, 0, 100, 100);
  return canvas.toDataURL('image/png').split(',')[1] ?? '';
}

/** Whether a canvas returns something else than was drawn on it. */
export function doesCanvasFalsify(): boolean {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = '#ff0000';
  context.fillRect(0, 0, 100, 100);
  const { data } = context.getImageData(0, 0, 100, 100);
  return data.some((value, index) => value !== [255, 0, 0, 255][index % 4]);
}

/** Chooses files in the input with this selector. */
export function chooseFiles(selector: string, files: ChosenFile[]): void {
  const input = document.querySelector<HTMLInputElement>(selector);
  if (!input) throw new Error('nowhere to choose');
  const chosen = new DataTransfer();
  for (const { name, type, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    chosen.items.add(new File([bytes], name, { type }));
  }
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Writes a value into the field with this selector, as an autofill does. */
export function fill(selector: string, value: string): void {
  const element = document.querySelector<HTMLInputElement>(selector);
  if (!element) throw new Error(`no ${selector}`);
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value') ?? {};
  set?.call(element, value);
  element.dispatchEvent(new Event(element.localName === 'select' ? 'change' : 'input', { bubbles: true }));
}

/** Presses the Enter by which an input method picks a word. Safari ends the composition before that key. */
export function pickWord(isComposing: boolean): void {
  const event = new KeyboardEvent('keydown', { key: 'Enter', isComposing, bubbles: true, cancelable: true });
  Object.defineProperty(event, 'keyCode', { value: 229 });
  document.querySelector('form textarea')?.dispatchEvent(event);
}

/** The newest message with its files as the server has them, in base64. */
export async function readNewest(
  peerId: string,
): Promise<{ messageType: string; durationMs: number; files: string[] }> {
  type Stored = { seq: number; messageType: string; attachments: { url: string; durationMs: number }[] };
  const messages: Stored[] = await (await fetch(`/api/messages/${peerId}`)).json();
  const newest = messages.sort((a, b) => b.seq - a.seq)[0];
  const files: string[] = [];
  for (const { url } of newest?.attachments ?? []) {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    files.push(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')));
  }
  return {
    messageType: newest?.messageType ?? '',
    durationMs: newest?.attachments[0]?.durationMs ?? 0,
    files,
  };
}

/** The types of the videos in the member's gallery. */
export async function readGalleryVideos(): Promise<string[]> {
  const me: { galleryVideos: { mimeType: string }[] } = await (await fetch('/api/auth/user')).json();
  return me.galleryVideos.map(({ mimeType }) => mimeType);
}

/** The number of messages with pictures among the newest that the server has. */
export async function countPictureMessages(peerId: string): Promise<number> {
  const messages: { messageType: string }[] = await (await fetch(`/api/messages/${peerId}`)).json();
  return messages.filter(({ messageType }) => messageType === 'image').length;
}

/** Records, until the page is left, the methods of the requests that carry uploads, and "abort" for each aborted one. */
export function recordUploads(): void {
  const requests: string[] = [];
  Object.assign(window, { uploadRequests: requests });
  const { open, abort } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, url: string | URL) {
    requests.push(method);
    open.call(this, method, url, true);
  };
  XMLHttpRequest.prototype.abort = function () {
    requests.push('abort');
    abort.call(this);
  };
}

export const readUploads = (): string[] => (window as unknown as { uploadRequests: string[] }).uploadRequests;

/** Sends no request that carries an upload, until the page is left. */
export function holdUploads(): void {
  XMLHttpRequest.prototype.send = () => undefined;
}

/** Saves what an address has, as "Save as" of the browser does: under the name that the server gives it. */
export function saveAddress(href: string): void {
  const link = document.createElement('a');
  Object.assign(link, { href, download: '' });
  document.body.append(link);
  link.click();
  link.remove();
}

/** Makes the page hidden or visible to itself, as another tab in front does. */
export function showPage(state: 'hidden' | 'visible'): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  Object.defineProperty(document, 'hidden', { value: state === 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Sets the clock of the device ahead, or back, by hours from the true time. */
export function setClock(hours: number): void {
  const shared = window as unknown as { TrueDate?: DateConstructor };
  shared.TrueDate ??= Date;
  const { TrueDate } = shared;
  const shift = hours * 3_600_000;
  window.Date = class extends TrueDate {
    constructor(...values: [] | [value: number | string | Date]) {
      super(...((values.length ? values : [TrueDate.now() + shift]) as [number]));
    }
    static override now = () => TrueDate.now() + shift;
  } as DateConstructor;
  document.dispatchEvent(new Event('visibilitychange'));
}
