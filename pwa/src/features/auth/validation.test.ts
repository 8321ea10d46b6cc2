import { describe, expect, it } from 'vitest';
import { checkSignUp, digitsOf, isWholeCode, signUpValues } from './validation.ts';

const good = {
  fullName: ' Maya Field ',
  email: 'maya@example.test',
  age: '29',
  city: 'Savannah',
  state: 'GA',
  intentionTags: ['Long-term'],
  bio: 'Slow mornings.',
  loveReflection: '',
  honorCode: true,
};

function firstMessage(input: object): string | undefined {
  return Object.values(checkSignUp({ ...good, ...input })).find((error) => error);
}

describe('sign-up', () => {
  it('accepts a complete form and trims its values', () => {
    expect(firstMessage({})).toBeUndefined();
    expect(signUpValues(good)).toMatchObject({ fullName: 'Maya Field', age: 29 });
  });

  it('requires the Honor Code', () => {
    expect(firstMessage({ honorCode: false })).toBe('You must accept the Honor Code');
  });

  it.each([
    'maya@',
    'maya@home',
    '@home.test',
    'maya field@home.test',
    '.maya@home.test',
    'maya..field@home.test',
    'maya@-home.test',
    'maya@home.t',
  ])('rejects the address %s', (email) => {
    expect(firstMessage({ email })).toBe('Please enter a valid email address');
  });

  it.each([
    "o'maya+dates@home.co.test",
    '_maya-9@9home.test',
    'maya@bücher.example',
    'maya@xn--e1afmkfd.xn--p1ai', // as Chromium's field writes пример.рф
  ])('accepts the address %s', (email) => {
    expect(firstMessage({ email })).toBeUndefined();
  });

  it('accepts ages from 1 to 99, because only the server refuses an age', () => {
    expect(firstMessage({ age: '17' }), 'the server refuses').toBeUndefined();
    expect(firstMessage({ age: 'abc' })).toBe('Please enter your age');
    expect(firstMessage({ age: '100' })).toContain('99');
    expect(firstMessage({ age: '18' })).toBeUndefined();
  });

  it("enforces the server's length limits", () => {
    expect(firstMessage({ bio: 'x'.repeat(1001) })).toContain('1,000');
    expect(firstMessage({ loveReflection: 'x'.repeat(501) })).toContain('500');
  });
});

describe('the code', () => {
  it('is extracted from a pasted text', () => {
    expect(digitsOf('Your code: 1234 5678.')).toBe('12345678');
    expect(isWholeCode(digitsOf('1234 567'))).toBe(false);
    expect(isWholeCode(digitsOf('1234-56789'))).toBe(true);
  });
});
