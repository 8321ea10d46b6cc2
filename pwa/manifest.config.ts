import type { ManifestOptions } from 'vite-plugin-pwa';

/** The web app manifest. `id` must never change, because it identifies an installed app. */
export const manifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Heartward',
  short_name: 'Heartward',
  description: 'Dating with intention. Always free.',
  lang: 'en-US',
  dir: 'ltr',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  theme_color: '#FFF8F2',
  background_color: '#FFF8F2',
  categories: ['social', 'lifestyle'],
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icons/monochrome-512.png', sizes: '512x512', type: 'image/png', purpose: 'monochrome' },
  ],
  shortcuts: [
    { name: 'Discover', url: '/discover', icons: [{ src: '/icons/icon-192.png', sizes: '192x192' }] },
    { name: 'Matches', url: '/matches', icons: [{ src: '/icons/icon-192.png', sizes: '192x192' }] },
    { name: 'Messages', url: '/messages', icons: [{ src: '/icons/icon-192.png', sizes: '192x192' }] },
  ],
  // The worker receives the share (sw/share.ts); no server is needed.
  share_target: {
    action: '/share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: 'title',
      text: 'text',
      url: 'url',
      files: [{ name: 'pictures', accept: ['image/*'] }],
    },
  },
  screenshots: [
    {
      src: '/screenshots/narrow.webp',
      sizes: '780x1688',
      type: 'image/webp',
      form_factor: 'narrow',
      label: 'Heartward on a phone',
    },
    {
      src: '/screenshots/wide.webp',
      sizes: '1440x900',
      type: 'image/webp',
      form_factor: 'wide',
      label: 'Discover',
    },
  ],
};
