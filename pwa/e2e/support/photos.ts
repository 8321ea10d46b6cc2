import type { BrowserContext } from '@playwright/test';
import { expect } from './test.ts';

/** Adds a photo to the member's profile by the API, as the app does, and returns its id. */
export async function addPhoto(phone: BrowserContext, picture: Buffer): Promise<string> {
  const tus = { 'Tus-Resumable': '1.0.0' };
  const createResponse = await phone.request.post('/api/uploads?purpose=profile', {
    headers: { ...tus, 'Upload-Length': String(picture.length) },
  });
  expect(createResponse.status(), await createResponse.text()).toBe(201);
  const address = createResponse.headers().location ?? '';
  const headers = { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  const patchResponse = await phone.request.patch(address, { headers, data: picture });
  expect(patchResponse.status(), await patchResponse.text()).toBe(204);
  const data = { uploadId: address.split('/').at(-1) };
  const photoResponse = await phone.request.post('/api/users/me/photos', { data });
  expect(photoResponse.status(), await photoResponse.text()).toBe(201);
  return ((await photoResponse.json()) as { id: string }).id;
}
