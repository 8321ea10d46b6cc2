import { expect, test } from 'vitest';
import { cn } from './cn.ts';

test('omits empty values', () => {
  expect(cn('card', false, undefined, null, '', 'p-4')).toBe('card p-4');
});

test('the last class of a group overrides a component’s own', () => {
  expect(cn('min-h-11 px-3 text-sm', 'px-2')).toBe('min-h-11 text-sm px-2');
  expect(cn('rounded-control bg-raised', 'h-22 rounded-card')).toBe('bg-raised h-22 rounded-card');
  expect(cn('gap-2 text-ember-strong transition-colors', 'text-plum transition-transform gap-0')).toBe(
    'text-plum transition-transform gap-0',
  );
  expect(cn('size-12 text-lg', 'size-20 text-2xl')).toBe('size-20 text-2xl');
});

test('keeps classes that only look similar', () => {
  expect(cn('text-sm text-muted text-center', 'text-ink')).toBe('text-sm text-center text-ink');
  expect(cn('gap-2', 'gap-x-3')).toBe('gap-2 gap-x-3');
  expect(cn('rounded-card', 'rounded-ee-[6px]')).toBe('rounded-card rounded-ee-[6px]');
  expect(cn('h-14', 'md:h-auto')).toBe('h-14 md:h-auto');
  expect(cn('md:h-fit', 'h-dvh md:h-[calc(100dvh-4rem)]')).toBe('h-dvh md:h-[calc(100dvh-4rem)]');
});
