import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMemberRoot } from '@/offline/testkit.ts';
import SparksDemoScreen from './SparksDemoScreen.tsx';

let page: HTMLElement;
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  act(() => root.render(<SparksDemoScreen />));
  end = () => {
    act(() => root.unmount());
    page.remove();
  };
});

afterEach(() => {
  end();
  vi.useRealTimers();
});

const press = (name: string) =>
  act(() => [...page.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.click());
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const shown = () => page.querySelector('#celebration-title')?.textContent;
const played = () => [...page.querySelectorAll('ol strong')].map(({ textContent }) => textContent);

test('Quick Test All plays the four sparks one second apart, the last one for its whole time', () => {
  press('Quick Test All');
  wait(0);
  expect(shown()).toBe("It's a Match!");
  for (const title of ['Super Spark!', 'Message Spark!', 'Voice Connection!']) {
    const before = shown();
    wait(999);
    expect(shown()).toBe(before);
    wait(1);
    expect(shown()).toBe(title);
  }
  expect(played()).toEqual(['Voice Connection!', 'Message Spark!', 'Super Spark!', "It's a Match!"]);
  wait(2999);
  expect(shown()).toBe('Voice Connection!');
  wait(1);
  expect(shown()).toBeUndefined();
});

test('a button plays its spark between two different people', () => {
  for (let round = 0; round < 20; round++) {
    press('Message Spark!');
    wait(2500);
    expect(shown()).toBeUndefined();
  }
  for (const row of page.querySelectorAll('ol li span')) {
    const [first, second] = (row.textContent ?? '').replace('Message Spark! ', '').split(' and ');
    expect(first).toBeTruthy();
    expect(second).not.toBe(first);
  }
  expect(played()).toHaveLength(20);
});
