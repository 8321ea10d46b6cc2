import type { BrowserContext } from '@playwright/test';
import { expect } from './test.ts';

/** Adds a photo to the member's profile by the API, as the app does, and returns its id. */
export async function addPhoto(phone: BrowserContext, picture: Buffer): Promise<string> {
  const tus = { 'Tus-Resumable': '1.0.0' };
  const made = await phone.request.post('/api/uploads?purpose=profile', {
    headers: { ...tus, 'Upload-Length': String(picture.length) },
  });
  expect(made.status(), await made.text()).toBe(201);
  const address = made.headers().location ?? '';
  const headers = { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  const sent = await phone.request.patch(address, { headers, data: picture });
  expect(sent.status(), await sent.text()).toBe(204);
  const data = { uploadId: address.split('/').at(-1) };
  const added = await phone.request.post('/api/users/me/photos', { data });
  expect(added.status(), await added.text()).toBe(201);
  return ((await added.json()) as { id: string }).id;
}
