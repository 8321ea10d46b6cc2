import { act } from 'react';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemberRoot } from '@/offline/testkit.ts';
import { EvidenceFiles } from './EvidenceFiles.tsx';
import { setVeils } from './Veil.tsx';

let container: HTMLElement;
let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  container = document.body.appendChild(document.createElement('div'));
  root = createMemberRoot(container);
});

afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  localStorage.clear();
  vi.unstubAllGlobals();
});

async function show(mimeType: string) {
  const file = { id: '1', label: 'Photo', mimeType, url: '/evidence/1' };
  await act(async () => root.render(<EvidenceFiles files={[file]} key={mimeType} />));
  await act(async () => container.querySelector('button')?.click());
}

const press = () => act(async () => container.querySelector<HTMLElement>('[aria-pressed]')?.click());
const isBlurred = () => container.querySelector('.blur-xl.grayscale img, .blur-xl.grayscale video') !== null;

it('a picture is blurred and grey until a press, and again after another', async () => {
  await show('image/webp');
  expect(container.querySelector('img')).not.toBeNull();
  expect(isBlurred()).toBe(true);
  await press();
  expect(isBlurred()).toBe(false);
  await press();
  expect(isBlurred()).toBe(true);
});

it('recordings begin without sound', async () => {
  await show('video/mp4');
  expect(isBlurred()).toBe(true);
  expect(container.querySelector('video')?.muted).toBe(true);
  await show('audio/mp4');
  expect(container.querySelector('audio')?.muted).toBe(true);
});

it('a moderator who turned the blur off sees pictures at once', async () => {
  await act(async () => setVeils(false));
  await show('image/webp');
  expect(container.querySelector('img')).not.toBeNull();
  expect(isBlurred()).toBe(false);
  expect(container.querySelector('[aria-pressed]')).toBeNull();
});
