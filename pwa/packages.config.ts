/** Smaller forms of packages in the built app: their modules for current browsers, without parts that it does not use. */
import type { Plugin } from 'vite';

/**
 * Uses the modules for current browsers of packages whose entry is one for ES5: Dexie's, to share it with CommonJS, and
 * tus-js-client's, which is twice as large.
 */
export const modernPackages: Plugin = {
  name: 'modern-packages',
  apply: 'build',
  config: () => ({
    resolve: {
      alias: [
        { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' },
        { find: /^tus-js-client$/, replacement: 'tus-js-client/lib/browser/index.js' },
      ],
    },
  }),
};

/** What tus-js-client uses of packages that do what browsers do themselves. */
export const ofBrowsers: Record<string, string> = {
  // A base may be relative to the page.
  'url-parse': `export default class extends URL {
    constructor(link, base) {
      super(link, new URL(base, location.href));
    }
  }`,
  'js-base64': `export const Base64 = {
    encode: (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text))),
  };`,
};

/** Modules of which the app uses a part, by the end of their path. The start chunk is 4 kB smaller without the rest. */
const partlyUsed: Record<string, string> = {
  // Links prefetch nothing: that needs React Router's framework on a server.
  'react-router/dist/production/lib/dom/ssr/components.js': `
    import { createContext, useRef } from 'react';
    export const FrameworkContext = createContext(undefined);
    export const usePrefetchBehavior = () => [false, useRef(null), {}];
    export const PrefetchPageLinks = () => null;
    export const mergeRefs = (...refs) => (value) => {
      for (const ref of refs)
        if (typeof ref === 'function') ref(value);
        else if (ref) ref.current = value;
    };
    export const CRITICAL_CSS_DATA_ATTRIBUTE = '', Links = null, Meta = null, Scripts = null;
    export const setIsHydrated = () => undefined, useFrameworkContext = () => undefined;`,
  // Errors that React's server components throw.
  'react-router/dist/production/lib/errors.js': `
    export const decodeRedirectErrorDigest = () => undefined, decodeRouteErrorResponseDigest = () => undefined;`,
  // Actions are useAction, which queues nothing: a write that waits for a connection is in the outbox.
  '@tanstack/query-core/build/modern/mutationCache.js': `
    export class MutationCache {
      build() { throw new Error('The build leaves mutations out.'); }
      find() {}
      getAll() { return []; }
      findAll() { return []; }
      subscribe() { return () => undefined; }
      clear() {}
      resumePausedMutations() { return Promise.resolve(); }
    }`,
};

/** A module that may not be in the app, because it needs what is left out. */
const needsMutations = '@tanstack/query-core/build/modern/mutationObserver.js';

const reactRouter = '/react-router/dist/production/';

/**
 * Returns a module of React Router without its warnings, which are for developers, and without the names for React's
 * developer tools, whose assignment keeps components that nothing uses, such as Form.
 */
const withoutHints = (code: string): string =>
  code
    .replace(/^\w+\.displayName = "[^"]*";$/gm, '')
    .replace(/^function warning(Once)?\(/gm, '/*@__NO_SIDE_EFFECTS__*/$&');

const hooks = 'react-router/dist/production/lib/hooks.js';
/** What is replaced in the module of React Router's hooks: routers without data, and errors of server components. */
const unusedInHooks: [code: RegExp, by: string][] = [
  [
    /React\$1\.useContext\(IsDataRouteContext\) \? useNavigateStable\(\) : useNavigateUnstable\(\)/,
    'useNavigateStable()',
  ],
  [/if \(this\.context\) return .*createElement\(RSCErrorHandler, .*;/, ''],
];

const VIRTUAL = '\0of-browsers:';

/** Leaves out what the app does not use. Fails if a package has moved the module, or if the app uses it after all. */
export const leaveOutUnused: Plugin = {
  name: 'leave-out-unused',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id) => (id in ofBrowsers ? VIRTUAL + id : undefined),
  load(id) {
    if (id.startsWith(VIRTUAL)) return ofBrowsers[id.slice(VIRTUAL.length)];
    const end = Object.keys(partlyUsed).find((path) => id.endsWith(path));
    return end && partlyUsed[end];
  },
  transform(code, id) {
    if (id.endsWith(hooks))
      for (const [unused, by] of unusedInHooks) {
        if (!unused.test(code)) this.error(`${id} has changed: see packages.config.ts`);
        code = code.replace(unused, by);
      }
    if (id.includes(reactRouter)) return withoutHints(code);
    // The keys of an icon's lines are for lists that change. They are random: what is compressed least.
    if (id.includes('/lucide-react/dist/esm/icons/')) return code.replace(/,?\s*key: "\w+"/g, '');
    return;
  },
  generateBundle(_, bundle) {
    const ids = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    const isBuilt = (path: string) => ids.some((id) => id.endsWith(path));
    for (const path of Object.keys(partlyUsed))
      if (!isBuilt(path)) this.error(`there is no ${path}: see packages.config.ts`);
    if (isBuilt(needsMutations))
      this.error('useMutation needs the module that packages.config.ts leaves out');
  },
};
