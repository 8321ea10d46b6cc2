type Help = { browser: string; steps: string[] };

/** The steps by browser, the first whose expressions match its user agent. */
const helps: (Help & { agent: RegExp[] })[] = [
  {
    agent: [/iPhone|iPad/],
    browser: 'iPhone and iPad',
    steps: [
      'Open the Settings app and tap Notifications.',
      'Choose Heartward.',
      'Turn on Allow Notifications.',
    ],
  },
  {
    agent: [/Android/, /Firefox/],
    browser: 'Firefox on Android',
    steps: ['Tap the lock beside the address.', 'Tap Notification until it says Allowed.', 'Come back here.'],
  },
  {
    agent: [/Android/],
    browser: 'Android',
    steps: [
      'Tap the icon beside the address, or hold the app’s icon and tap App info.',
      'Tap Permissions or Notifications.',
      'Allow notifications, then come back here.',
    ],
  },
  {
    agent: [/Firefox/],
    browser: 'Firefox',
    steps: [
      'Tap the icon left of the address bar.',
      'Beside “Send notifications”, remove “Blocked”.',
      'Reload the page and turn notifications on here.',
    ],
  },
  {
    agent: [/Edg\//],
    browser: 'Edge',
    steps: [
      'Click the lock left of the address.',
      'Open Permissions for this site.',
      'Set Notifications to Allow.',
    ],
  },
  {
    agent: [/Chrome/],
    browser: 'Chrome',
    steps: [
      'Tap the icon left of the address bar.',
      'Turn on Notifications, or open Site settings and allow them.',
      'Come back to this page.',
    ],
  },
];

const safari: Help = {
  browser: 'Safari',
  steps: [
    'Open Safari’s settings and choose Websites.',
    'Choose Notifications at the left.',
    'Set this site to Allow.',
  ],
};

/** Returns the steps that allow notifications again in this browser's settings. */
export const blockedSteps = (userAgent: string): Help =>
  helps.find(({ agent }) => agent.every((part) => part.test(userAgent))) ?? safari;
