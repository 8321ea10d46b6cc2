import { z } from 'zod';

// The content policy forbids eval, which zod would use for speed.
z.config({ jitless: true });

const email = z.email('Please enter a valid email address');

export const signUpSchema = z.object({
  fullName: z
    .string()
    .trim()
    .min(1, 'Please tell us your name')
    .max(100, 'Please use at most 100 characters'),
  email,
  age: z
    .string()
    .transform((value) => Number.parseInt(value, 10) || 0)
    .pipe(
      z
        .number()
        .min(18, 'Heartward is for people of 18 and over')
        .max(99, 'Please enter an age of at most 99'),
    ),
  city: z.string().trim().min(1, 'Please name your town').max(100, 'Please use at most 100 characters'),
  state: z.string().trim().min(1, 'Please name your state').max(100, 'Please use at most 100 characters'),
  intentionTags: z.array(z.string()),
  bio: z
    .string()
    .trim()
    .min(1, 'A few words are enough, but they help')
    .max(1000, 'Please use at most 1,000 characters'),
  loveReflection: z.string().trim().max(500, 'Please use at most 500 characters'),
  honorCode: z.literal(true, 'You must accept the Honor Code'),
});

export type SignUpInput = z.input<typeof signUpSchema>;
export type SignUpValues = z.output<typeof signUpSchema>;

export const emailSchema = z.object({ email });

export const passwordSchema = z.object({
  email,
  password: z.string().min(1, 'Please enter your password'),
});

const CODE_LENGTH = 8;

/** Returns the digits of an input such as "1234 5678" or "code: 12345678". */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '').slice(0, CODE_LENGTH);
}

export function isWholeCode(digits: string): boolean {
  return digits.length === CODE_LENGTH;
}
