import { describe, expect, it } from 'vitest';
import { digitsOf, isWholeCode, signUpSchema } from './schema.ts';

const good = {
  fullName: ' Maya Field ',
  email: 'maya@example.test',
  age: '29',
  city: 'Savannah',
  state: 'GA',
  intentionTags: ['Long-term'],
  bio: 'Slow mornings.',
  loveReflection: '',
  honorCode: true as const,
};

function firstMessage(input: object): string | undefined {
  return signUpSchema.safeParse({ ...good, ...input }).error?.issues[0]?.message;
}

describe('sign-up', () => {
  it('takes a whole form and tidies it', () => {
    expect(signUpSchema.parse(good)).toMatchObject({ fullName: 'Maya Field', age: 29 });
  });

  it('needs the Honor Code', () => {
    expect(firstMessage({ honorCode: false })).toBe('You must accept the Honor Code');
  });

  it('needs a real address', () => {
    expect(firstMessage({ email: 'maya@' })).toBe('Please enter a valid email address');
  });

  it('is for 18 to 99; what is no number counts as 0', () => {
    expect(firstMessage({ age: '17' })).toContain('18');
    expect(firstMessage({ age: 'abc' })).toContain('18');
    expect(firstMessage({ age: '100' })).toContain('99');
    expect(firstMessage({ age: '18' })).toBeUndefined();
  });

  it('keeps to the lengths the server takes', () => {
    expect(firstMessage({ bio: 'x'.repeat(1001) })).toContain('1,000');
    expect(firstMessage({ loveReflection: 'x'.repeat(501) })).toContain('500');
  });
});

describe('the code', () => {
  it('is read out of a pasted text', () => {
    expect(digitsOf('Your code: 1234 5678.')).toBe('12345678');
    expect(isWholeCode(digitsOf('1234 567'))).toBe(false);
    expect(isWholeCode(digitsOf('1234-56789'))).toBe(true);
  });
});
