import { expect, it } from 'vitest';
import { ofBrowsers } from '../packages.config.ts';

/** Loads a module that the build uses instead of a package. */
const load = async (name: string) =>
  import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(ofBrowsers[name] ?? '')}`);

it('resolves a link as url-parse does, also against a path of the page', async () => {
  const { default: Url } = await load('url-parse');
  const base = '/api/uploads?purpose=profile';
  expect(new Url('/api/uploads/1', base).href).toBe(new URL('/api/uploads/1', location.href).href);
  expect(new Url('https://files.test/2', base).href).toBe('https://files.test/2');
});

it('encodes any text in Base64', async () => {
  const { Base64 } = await load('js-base64');
  expect(Base64.encode('video/mp4 ✓')).toBe(Buffer.from('video/mp4 ✓').toString('base64'));
});
