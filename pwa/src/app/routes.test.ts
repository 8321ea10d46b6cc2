import type { RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import serverRoutes from '../../routes.json';
import { routes } from './routes.tsx';

/** Returns the full path of every screen below `list`, without the catch-all. */
function screenPaths(list: RouteObject[]): string[] {
  return list.flatMap((route) => {
    if (route.children) return screenPaths(route.children);
    if (route.path === '*') return [];
    return [route.index ? '/' : (route.path ?? '')];
  });
}

test('the server knows every screen of the router and no other', () => {
  expect(screenPaths(routes).sort()).toEqual(serverRoutes);
});
