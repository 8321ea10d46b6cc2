/**
 * Another app shares words or pictures with this one (`share_target` of the manifest): the browser posts them here.
 * They are kept, and the member says on the screen that follows for whom they are. Nothing is sent by itself.
 */
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { SHARE_PATH, type Shared, storeShared } from '../src/offline/device/shared.ts';

declare const self: ServiceWorkerGlobalScope;

/** As many as one message holds, and as long as one can be. */
const MOST_PICTURES = 10;
const LONGEST = 4000;

export const isShare = ({ url }: { url: URL }) => url.pathname === SHARE_PATH;

/** 303: the next page is asked for with GET, and loading it again posts nothing twice. */
const leadTo = (path: string) => Response.redirect(self.location.origin + path, 303);

export async function takeShared(request: Pick<Request, 'formData'>): Promise<Response> {
  try {
    const shared = read(await request.formData());
    if (shared.text || shared.pictures.length > 0)
      await storeShared({ ...shared, member: await readDeviceMember(), at: Date.now() });
    return leadTo(SHARE_PATH);
  } catch {
    // The device is full, or it was no form at all.
    return leadTo(`${SHARE_PATH}?failed`);
  }
}

function read(form: FormData): Pick<Shared, 'text' | 'pictures' | 'left'> {
  const pictures = form
    .getAll('pictures')
    .filter((file): file is File => file instanceof File && file.type.startsWith('image/') && file.size > 0);
  return {
    text: wordsOf(form),
    pictures: pictures.slice(0, MOST_PICTURES),
    left: Math.max(0, pictures.length - MOST_PICTURES),
  };
}

/** The words and the address, which many apps put among the words; a title alone is better than nothing. */
function wordsOf(form: FormData): string {
  const [title = '', text = '', url = ''] = ['title', 'text', 'url'].map((field) => {
    const value = form.get(field);
    return typeof value === 'string' ? value.trim() : '';
  });
  const words = [text || title, text.includes(url) ? '' : url].filter(Boolean).join('\n');
  return [...words].slice(0, LONGEST).join('');
}
