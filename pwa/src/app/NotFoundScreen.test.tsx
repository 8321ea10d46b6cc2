import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it, vi } from 'vitest';
import NotFoundScreen from './NotFoundScreen.tsx';

it('has a link to the home screen', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const router = createMemoryRouter(
    [
      { path: '/', element: <p>Home</p> },
      { path: '*', element: <NotFoundScreen /> },
    ],
    { initialEntries: ['/no/such/page'] },
  );
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  await act(async () => root.render(<RouterProvider router={router} />));
  expect(page.querySelector('h1, h2')?.textContent).toBe('Page Not Found');
  const link = page.querySelector('a');
  expect(link?.textContent).toBe('Go home');
  await act(async () => link?.click());
  expect(page.textContent).toBe('Home');
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});
