import { formatCount } from '@/base/format.ts';
import type { Errors } from '@/ui';

/** The fields of the sign-up form, as they were entered. */
export type SignUpInput = {
  fullName: string;
  email: string;
  age: string;
  city: string;
  state: string;
  intentionTags: string[];
  bio: string;
  loveReflection: string;
  honorCode: boolean;
};

/** The checked fields, as the API takes them. */
export type SignUpValues = Omit<SignUpInput, 'age'> & { age: number };

const EMAIL =
  /^([A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@([\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)+([Xx][Nn]--[A-Za-z0-9-]+|\p{L}[\p{L}\p{M}]+)$/u;

const checkEmail = (email: string) => (EMAIL.test(email) ? undefined : 'Please enter a valid email address');

/** Checks the length of a trimmed text; `missing` is the error for an empty one, unless it is optional. */
function checkText(text: string, max: number, missing?: string): string | undefined {
  const { length } = text.trim();
  if (length === 0) return missing;
  return length > max ? `Please use at most ${formatCount(max)} characters` : undefined;
}

/** Asks for any age: only the server refuses one, because a visitor who is told the limit enters another age. */
function checkAge(age: string): string | undefined {
  const years = yearsOf(age);
  if (years < 1) return 'Please enter your age';
  return years > 99 ? 'Please enter an age of at most 99' : undefined;
}

const yearsOf = (age: string) => Number.parseInt(age, 10) || 0;

/** Returns the errors of the sign-up form; the server checks again. */
export const checkSignUp = (values: SignUpInput): Errors<SignUpInput> => ({
  fullName: checkText(values.fullName, 100, 'Please tell us your name'),
  email: checkEmail(values.email),
  age: checkAge(values.age),
  city: checkText(values.city, 100, 'Please enter your city'),
  state: checkText(values.state, 100, 'Please enter your state'),
  bio: checkText(values.bio, 1000, 'Please add a few words about yourself'),
  loveReflection: checkText(values.loveReflection, 500),
  honorCode: values.honorCode ? undefined : 'You must accept the Honor Code',
});

/** Returns the values of a form without errors, with trimmed texts. */
export const signUpValues = (values: SignUpInput): SignUpValues => ({
  ...values,
  fullName: values.fullName.trim(),
  age: yearsOf(values.age),
  city: values.city.trim(),
  state: values.state.trim(),
  bio: values.bio.trim(),
  loveReflection: values.loveReflection.trim(),
});

export const checkCodeRequest = ({ email }: { email: string }): Errors<{ email: string }> => ({
  email: checkEmail(email),
});

type Credentials = { email: string; password: string };

export const checkCredentials = ({ email, password }: Credentials): Errors<Credentials> => ({
  email: checkEmail(email),
  password: password ? undefined : 'Please enter your password',
});

const CODE_LENGTH = 8;

/** Returns the digits of an input such as "1234 5678" or "code: 12345678". */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '').slice(0, CODE_LENGTH);
}

export function isWholeCode(digits: string): boolean {
  return digits.length === CODE_LENGTH;
}

export const checkAppCode = ({ code }: { code: string }) => ({
  code: code.length === 6 ? undefined : 'The code has six digits.',
});
