import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { enterInvitation, findCode, invitation, removeInvitation, storeInvitation } from './invitation.ts';

function arriveAt(address: string): string {
  history.replaceState({ idx: 0 }, '', address);
  storeInvitation();
  return location.pathname + location.search + location.hash;
}

describe('the invitation code', () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => void vi.useRealTimers());

  it('is stored on every page and removed from the address', () => {
    expect(arriveAt('/?ref=DEMOSTART')).toBe('/');
    expect(invitation()).toBe('DEMOSTART');
    expect(arriveAt('/signup?x=1&ref=ABCD2345#top')).toBe('/signup?x=1#top');
    expect(invitation()).toBe('ABCD2345');
    expect(history.state).toEqual({ idx: 0 });
  });

  it('stays when the next page has none, until it is removed', () => {
    arriveAt('/?ref=DEMOSTART');
    expect(arriveAt('/login?next=%2Fmatches')).toBe('/login?next=%2Fmatches');
    expect(invitation()).toBe('DEMOSTART');
    removeInvitation();
    expect(invitation()).toBeUndefined();
  });

  it.each(['', 'x', '<b>', 'A'.repeat(21), 'ABC DEF'])('is ignored for %j', (code) => {
    expect(arriveAt(`/?ref=${encodeURIComponent(code)}`)).toBe('/');
    expect(invitation()).toBeUndefined();
  });

  it('survives a new tab for 90 days, and no longer', () => {
    vi.useFakeTimers();
    arriveAt('/?ref=DEMOSTART');
    vi.advanceTimersByTime(89 * 24 * 60 * 60 * 1000);
    expect(invitation()).toBe('DEMOSTART');
    vi.advanceTimersByTime(2 * 24 * 60 * 60 * 1000);
    expect(invitation()).toBeUndefined();
  });

  it('is removed from the address and not stored on the device of a member', () => {
    localStorage.setItem('hw.member', 'id');
    expect(arriveAt('/?ref=DEMOSTART')).toBe('/');
    expect(invitation()).toBeUndefined();
  });

  it('is replaced by one that the visitor types, and removed with it', () => {
    arriveAt('/?ref=DEMOSTART');
    enterInvitation(' abcd 2345 ');
    expect(invitation()).toBe('ABCD2345');
    enterInvitation('ab');
    expect(invitation()).toBeUndefined();
  });

  it.each([
    ['abcd2345', 'ABCD2345'],
    ['ABCD-2345', 'ABCD2345'],
    [' ABCD 2345 WXYZ ', 'ABCD2345WXYZ'],
    ['https://heartward.example/?ref=abcd2345&x=1', 'ABCD2345'],
    ['https://heartward.example/', undefined],
    ['What is a code?', undefined],
    ['ABCD234', undefined],
    ['AB', undefined],
    ['', undefined],
  ])('is found in %j', (text, code) => expect(findCode(text)).toBe(code));

  it('is in the manifest on a device whose installed app has a storage of its own', () => {
    document.head.innerHTML = '<link rel="manifest" href="/manifest.webmanifest">';
    const manifest = () => document.querySelector('link[rel=manifest]')?.getAttribute('href');
    arriveAt('/?ref=DEMOSTART');
    expect(manifest()).toBe('/manifest.webmanifest');
    Object.defineProperty(navigator, 'standalone', { value: false, configurable: true });
    arriveAt('/signup');
    expect(manifest()).toBe('/manifest.webmanifest?ref=DEMOSTART');
    enterInvitation('wxyz6789');
    expect(manifest()).toBe('/manifest.webmanifest?ref=WXYZ6789');
    enterInvitation('');
    expect(manifest()).toBe('/manifest.webmanifest');
    Reflect.deleteProperty(navigator, 'standalone');
  });
});
