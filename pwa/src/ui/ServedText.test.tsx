import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';

let root: Root;
let container: HTMLElement;

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  return () => {
    act(() => root.unmount());
    document.body.replaceChildren();
    vi.unstubAllGlobals();
  };
});

type Module = typeof import('./ServedText.tsx');

/** A page that draws itself once it is ready. */
function Page({ module, isReady }: { module: Module; isReady: boolean }) {
  const { ServedText, useServedText } = module;
  if (useServedText(isReady)) return <ServedText otherwise={null} />;
  return isReady ? 'The app' : 'A skeleton';
}

async function load(boot: string): Promise<Module> {
  document.body.innerHTML = `${boot}<main></main>`;
  container = document.querySelector('main') as HTMLElement;
  root = createRoot(container);
  return import('./ServedText.tsx');
}

const draw = (element: React.ReactElement) => act(async () => root.render(element));
const SERVED = '<div id="boot" data-served>A story</div>';

it('shows the text of the server until the page itself is shown, and then never again', async () => {
  const module = await load(SERVED);
  const { ServedText } = module;
  await draw(<ServedText otherwise="Loading" />);
  expect(container.textContent).toBe('A story');
  expect(document.getElementById('boot'), 'boot.js must not see it').toBeNull();
  await draw(<Page isReady={false} module={module} />);
  expect(container.textContent).toBe('A story');
  await draw(<Page isReady module={module} />);
  expect(container.textContent).toBe('The app');
  await draw(<Page isReady={false} module={module} />);
  expect(container.textContent).toBe('A skeleton');
});

it('is not shown on another page', async () => {
  const { ServedText } = await load(SERVED);
  history.pushState(null, '', '/elsewhere');
  await draw(<ServedText otherwise="Loading" />);
  expect(container.textContent).toBe('Loading');
  history.pushState(null, '', '/');
});

it('leaves a document without such a text to boot.js', async () => {
  const { ServedText } = await load('<div id="boot">Loading your love journey...</div>');
  await draw(<ServedText otherwise="Loading" />);
  expect(container.textContent).toBe('Loading');
  expect(document.getElementById('boot')).not.toBeNull();
});
