import { expect, it } from 'vitest';
import * as texts from './landingTexts.ts';

it('promises no use without limits, because likes, requests and messages in a row have them', () => {
  expect(JSON.stringify(texts)).not.toMatch(/unlimited|no limit|(?:never|not) limited/i);
});
