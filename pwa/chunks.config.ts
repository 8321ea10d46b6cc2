/** Which modules share a chunk, and which chunks a visit begins with. */
import path from 'node:path';
import type { Plugin, ResolveModulePreloadDependenciesFn, Rolldown } from 'vite';

/** The modules of the screens that a visit begins with, by path. */
const firstScreens = {
  '/': ['src/features/discovery/ForYouScreen.tsx'],
  '/discover': ['src/app/DiscoverRoute.tsx'],
  '/matches': ['src/app/MatchesRoute.tsx'],
  '/messages': ['src/app/MessagesRoute.tsx'],
  '/messages/:id': ['src/app/MessagesRoute.tsx', 'src/app/ConversationPane.tsx'],
  '/profile': ['src/app/ProfileRoute.tsx'],
  '/signup': ['src/features/auth/SignUpScreen.tsx'],
  '/login': ['src/features/auth/LoginScreen.tsx'],
};

/** Lists the chunks of these screens in index.html for boot.js, which preloads them. */
export const listChunks: Plugin = {
  name: 'list-chunks',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const addImports = (name: string, names: Set<string>): Set<string> => {
        if (names.has(name)) return names;
        names.add(name);
        for (const imported of byName.get(name)?.imports ?? []) addImports(imported, names);
        return names;
      };
      const entry = chunks.find((chunk) => chunk.isEntry);
      const loaded = addImports(entry?.fileName ?? '', new Set());
      const listOf = (modules: string[]) => {
        const names = new Set<string>();
        for (const module of modules) {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
          if (!chunk) throw new Error(`no chunk of ${module}`);
          addImports(chunk.fileName, names);
        }
        return [...names].filter((name) => !loaded.has(name)).map((name) => `/${name}`);
      };
      const lists = Object.entries(firstScreens).map(([screen, modules]) => [screen, listOf(modules)]);
      return html.replace('src="/boot.js"', `$& data-chunks='${JSON.stringify(Object.fromEntries(lists))}'`);
    },
  },
};

/**
 * Returns which chunks a lazy import preloads: not the chunk itself, which it requests in the same moment, nor what runs
 * already. The start chunk has these lists, with a name that is compressed badly for each entry.
 */
export const preloadedChunks: ResolveModulePreloadDependenciesFn = (chunk, imports, { hostType }) =>
  hostType === 'html'
    ? imports
    : imports.filter((name) => name !== chunk && !name.includes('/rolldown-runtime-'));

const adminRoute = 'src/app/AdminRoute.tsx';
const adminFeature = path.resolve(import.meta.dirname, 'src/features/admin') + path.sep;

/** Fails the build if a member's browser would load a module of the admins' dashboard. */
export const keepAdminApart: Plugin = {
  name: 'keep-admin-apart',
  apply: 'build',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
    const reachable = new Set<string>();
    const queue = chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName);
    for (let name = queue.pop(); name; name = queue.pop()) {
      const chunk = byName.get(name);
      if (!chunk || reachable.has(name) || chunk.facadeModuleId?.endsWith(adminRoute)) continue;
      reachable.add(name);
      queue.push(...chunk.imports, ...chunk.dynamicImports);
      const module = chunk.moduleIds.find((id) => id.startsWith(adminFeature));
      if (module)
        this.error(`${name}, which members load, has ${path.relative(import.meta.dirname, module)}`);
    }
    const ofAdmins = chunks.filter(({ fileName }) => !reachable.has(fileName));
    if (!ofAdmins.some(({ moduleIds }) => moduleIds.some((id) => id.startsWith(adminFeature))))
      this.error(`no chunk behind ${adminRoute} has a module of ${adminFeature}`);
  },
};

/**
 * Returns the file name of a chunk. Rolldown names a shared chunk by all of its importers; the start chunk contains these
 * names, which were 0.7 kB of it, compressed.
 */
export const fileNameOf = ({ name }: { name: string }): string =>
  name.startsWith('shared~') ? 'assets/shared-[hash].js' : 'assets/[name]-[hash].js';

/** The screens of visitors, whose modules are not in the chunks of members. */
const visitorScreens = [firstScreens['/signup'], firstScreens['/login']].flat();
const homeScreen = firstScreens['/'].join();
/** The other screens of the bottom bar. */
const tabs = [firstScreens['/discover'], firstScreens['/matches'], firstScreens['/messages']].flat();
const profileScreen = firstScreens['/profile'].join();
/** What runs beside every screen of a member, and is loaded after it. */
const background = 'src/app/Background.tsx';

/** Modules that no screen of visitors needs, though each imports them by src/ui/index.ts. */
const dialogs = /\/src\/ui\/(Dialog|ConfirmDialog|motion|rootMark)\.tsx?$/;

type Modules = { getModuleInfo(id: string): { code: string | null; importedIds: string[] } | null };

const reached = new Map<string, Set<string>>();

/** Returns the ids of a module and of all that it imports statically, also indirectly. */
function reachedFrom(module: string, modules: Modules): Set<string> {
  const known = reached.get(module);
  if (known) return known;
  const ids = new Set<string>();
  const queue = [path.resolve(import.meta.dirname, module)];
  for (let id = queue.pop(); id; id = queue.pop()) {
    if (ids.has(id)) continue;
    ids.add(id);
    queue.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  reached.set(module, ids);
  return ids;
}

const iconsOf = new Map<string, Set<string>>();

/**
 * Returns the names, in lower case, of the icons that a module and its imports draw. They are read from the imports' text: each
 * module imports its icons from the package's index, which imports all of them.
 */
function iconsReachedFrom(module: string, modules: Modules): Set<string> {
  const known = iconsOf.get(module);
  if (known) return known;
  const icons = new Set<string>();
  for (const id of reachedFrom(module, modules)) {
    const code = id.includes('/node_modules/') ? '' : (modules.getModuleInfo(id)?.code ?? '');
    for (const [, names = ''] of code.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g))
      for (const name of names.split(',')) icons.add(name.trim().replace(/\s.*/, '').toLowerCase());
  }
  iconsOf.set(module, icons);
  return icons;
}

/** The icon of a select. Sign-up has that one only, and would load the others too. */
const iconOfSelect = '/icons/chevron-down.mjs';

/** Whether the module is an icon that For You draws. */
const isIconOfHome = (id: string, modules: Modules): boolean =>
  id.includes('/lucide-react/') &&
  !id.endsWith(iconOfSelect) &&
  iconsReachedFrom(homeScreen, modules).has(path.basename(id, '.mjs').replaceAll('-', ''));

/**
 * Returns the name of the chunk with a module that several first screens need: `visitor` is loaded by sign-up and sign-in,
 * `member` by all of a member's screens, `tabs` by those of the bottom bar except For You, `profile` by one's own profile,
 * `beside` after every screen.
 */
function screensChunk(id: string, modules: Modules): string | null {
  if (dialogs.test(id) || isIconOfHome(id, modules)) return 'member';
  const reaches = (module: string) => reachedFrom(module, modules).has(id);
  const ofVisitors = visitorScreens.filter(reaches).length;
  if (ofVisitors > 0) {
    const isOfMembers = [homeScreen, ...tabs, profileScreen].some(reaches);
    return ofVisitors > 1 && !isOfMembers ? 'visitor' : null;
  }
  if (reaches(homeScreen)) return 'member';
  const isOfBackground = reaches(background);
  if (tabs.some(reaches) || (isOfBackground && reaches(profileScreen))) return 'tabs';
  if (isOfBackground) return 'beside';
  return reaches(profileScreen) ? 'profile' : null;
}

/**
 * One chunk for the code that every page loads first. Fourteen small ones are 5 kB larger, and a request each. A module
 * of several screens is in a chunk with others that the same screens load. A chunk below the threshold, in bytes before
 * minifying, is merged with its neighbour: a request costs more than a few unused kilobytes.
 */
export const codeSplitting: Rolldown.CodeSplittingOptions = {
  includeDependenciesRecursively: false, // a chunk would contain modules of visitors' screens, which then load all of it
  groups: [
    { name: 'start', tags: ['$initial'], priority: 1 },
    // Without those of For You, whose first picture would wait for all icons.
    {
      debugName: 'icons',
      name: (id, modules) => (id.endsWith(iconOfSelect) || isIconOfHome(id, modules) ? null : 'icons'),
      test: /lucide-react/,
      minShareCount: 2,
    },
    // With what uses it, so that no chunk of a first screen gets a part of it.
    {
      name: 'motion',
      test: /node_modules\/(motion|framer-motion|motion-dom|motion-utils)\/|src\/ui\/(movers|TakenOver)\.tsx/,
    },
    { name: 'passkeyLibrary', test: /@simplewebauthn/ },
    { debugName: 'screens', name: screensChunk, minShareCount: 2 },
    { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 2000 },
  ],
};
