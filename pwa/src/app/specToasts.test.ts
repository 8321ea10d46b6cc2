/** The texts of toasts and errors that the specification quotes: the app has each word for word, and a test expects it. */
import { expect, it } from 'vitest';
import texts from '../../e2e/spec-toasts.json';

const sources = import.meta.glob<string>(['/src/**/*.{ts,tsx}', '!/src/api/*.gen.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const stories = import.meta.glob<string>('/e2e/**/*.spec.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const join = (files: [string, string][]) => files.map(([, text]) => text).join('\n');
const app = join(Object.entries(sources).filter(([file]) => !isTest(file)));
const tests = join([...Object.entries(sources).filter(([file]) => isTest(file)), ...Object.entries(stories)]);

it.each(texts)('%s', (text) => {
  expect(app.includes(text), 'the app has the text').toBe(true);
  expect(tests.includes(text), 'a test expects the text').toBe(true);
});
