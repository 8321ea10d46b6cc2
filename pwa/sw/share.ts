/**
 * Receives text or pictures from another app: the browser posts them as the manifest's `share_target` says. They are
 * stored, and the member picks a conversation on the next screen. Nothing is sent automatically.
 */
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { type Shared, storeShared } from '../src/offline/device/sharedFiles.ts';
import { SHARE_PATH } from '../src/offline/device/sharedNames.ts';

declare const self: ServiceWorkerGlobalScope;

/** The limit of a message. */
const MAX_PICTURES = 10;
/** The longest text that is stored, in UTF-16 units. A text longer than a message can be shortened in the composer. */
const MAX_TEXT = 100_000;

export const isShare = ({ url }: { url: URL }) => url.pathname === SHARE_PATH;

/** 303: the browser follows with GET, so that a reload does not post again. */
const redirectTo = (path: string) => Response.redirect(self.location.origin + path, 303);

export async function receiveShared(request: Pick<Request, 'formData' | 'referrer'>): Promise<Response> {
  try {
    const shared = parseForm(await request.formData());
    if (shared.text.length > MAX_TEXT) return redirectTo(`${SHARE_PATH}?failed=long`);
    if (shared.text || shared.pictures.length > 0)
      await storeShared({
        ...shared,
        website: websiteOf(request.referrer),
        member: await readDeviceMember(),
        at: Date.now(),
      });
    return redirectTo(SHARE_PATH);
  } catch {
    // The device is full, or the body is not a form.
    return redirectTo(`${SHARE_PATH}?failed`);
  }
}

/** Returns the host of another site's page. A share of the device's menu has no referrer; a website can hide its own. */
function websiteOf(referrer: string): string | null {
  if (!/^https?:/.test(referrer)) return null;
  const { host } = new URL(referrer);
  return host === self.location.host ? null : host;
}

function parseForm(form: FormData): Pick<Shared, 'text' | 'pictures' | 'omitted'> {
  const pictures = form
    .getAll('pictures')
    .filter((file): file is File => file instanceof File && file.type.startsWith('image/') && file.size > 0);
  return {
    text: textOf(form),
    pictures: pictures.slice(0, MAX_PICTURES),
    omitted: Math.max(0, pictures.length - MAX_PICTURES),
  };
}

/** Returns the text and the address, which many apps include in the text; without a text the title. */
function textOf(form: FormData): string {
  const [title = '', text = '', url = ''] = ['title', 'text', 'url'].map((field) => {
    const value = form.get(field);
    return typeof value === 'string' ? value.trim() : '';
  });
  return [text || title, text.includes(url) ? '' : url].filter(Boolean).join('\n');
}
