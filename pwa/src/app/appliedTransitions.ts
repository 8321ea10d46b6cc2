import type { Location } from 'react-router';

const STORAGE_KEY = 'hw.transitions';

type Transition = { currentLocation: Location; nextLocation: Location };

/** The paths between which a link was animated, so that back and forward are animated too, also after a reload. */
export function appliedTransitions() {
  const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, string[]][];
  const targets = new Map(stored.map(([path, paths]) => [path, new Set(paths)]));
  addEventListener('pagehide', () => {
    const entries = [...targets].map(([path, paths]) => [path, [...paths]]);
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(entries));
  });
  return {
    /** Stores that a link was animated. */
    add(currentLocation: Location, nextLocation: Location): Transition {
      const paths = targets.get(currentLocation.pathname) ?? new Set();
      targets.set(currentLocation.pathname, paths.add(nextLocation.pathname));
      return { currentLocation, nextLocation };
    },
    /** Returns the transition of a step in the history, if it is to be animated. */
    ofPop(from: Location, to: Location): Transition | undefined {
      if (targets.get(from.pathname)?.has(to.pathname)) return { currentLocation: from, nextLocation: to };
      // Back to a page that was left by an animated link.
      if (targets.has(to.pathname)) return { currentLocation: to, nextLocation: from };
      return undefined;
    },
  };
}
