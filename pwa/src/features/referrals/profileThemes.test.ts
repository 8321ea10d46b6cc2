import { describe, expect, it } from 'vitest';
import { profileThemes } from '@/domain/profile/premium.ts';
import { contrast, tokensOf } from '@/ui/contrast.ts';
import css from '@/ui/profileThemes.css?raw';
import appTokens from '@/ui/tokens.css?raw';

const blocks = [...css.matchAll(/\[data-theme="(\w+)"\] \[data-profile-theme="(\w+)"\] \{([^}]+)\}/g)].map(
  ([, app, profile, body]) => ({ app: app ?? '', profile: profile ?? '', tokens: tokensOf(body ?? '') }),
);
const apps = Object.fromEntries(
  [...appTokens.matchAll(/\[data-theme="(\w+)"\] \{([^}]+)\}/g)].map(([, name, body]) => [
    name ?? '',
    tokensOf(body ?? ''),
  ]),
);

it('has each theme of profiles in each theme of the app', () => {
  const expected = Object.keys(apps).flatMap((app) => profileThemes.map(({ value }) => `${app} ${value}`));
  expect(blocks.map(({ app, profile }) => `${app} ${profile}`).sort()).toEqual(expected.sort());
});

// The texts and controls of a profile page, on the backgrounds that a theme changes.
const texts = ['ink', 'muted', 'ember-strong', 'plum', 'marigold-ink', 'sky', 'danger'];
const controls = ['ember', 'sage', 'control', 'focus'];

describe.each(blocks)('the profile theme $profile in $app', ({ app, tokens }) => {
  const all = { ...apps[app], ...tokens };
  it.each(['paper', 'surface', 'raised'])('is readable on %s', (background) => {
    const of = (name: string) => contrast(all[name] ?? '', all[background] ?? '');
    for (const name of texts) expect(of(name), name).toBeGreaterThanOrEqual(4.5);
    for (const name of controls) expect(of(name), name).toBeGreaterThanOrEqual(3);
  });
});
