import { beforeEach, describe, expect, it } from 'vitest';
import { invitation, removeInvitation, storeInvitation } from './invitation.ts';

function arriveAt(address: string): string {
  history.replaceState({ idx: 0 }, '', address);
  storeInvitation();
  return location.pathname + location.search + location.hash;
}

describe('the invitation code', () => {
  beforeEach(() => sessionStorage.clear());

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
});
