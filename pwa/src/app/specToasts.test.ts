/** The texts of toasts and errors that the specification quotes: the app has each word for word, and a test expects it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import texts from '../../e2e/spec-toasts.json';

const pwa = path.resolve(import.meta.dirname, '../..');

/** Returns the texts of the files below a folder whose path matches. */
const read = (folder: string, isWanted: (file: string) => boolean): string =>
  readdirSync(path.join(pwa, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && isWanted(file))
    .map((file) => readFileSync(path.join(pwa, folder, file), 'utf8'))
    .join('\n');

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);
const app = read('src', (file) => !isTest(file) && !file.endsWith('.gen.ts'));
const tests = read('src', isTest) + read('e2e', isTest);

it.each(texts)('%s', (text) => {
  expect(app.includes(text), 'the app has the text').toBe(true);
  expect(tests.includes(text), 'a test expects the text').toBe(true);
});
