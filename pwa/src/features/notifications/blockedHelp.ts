/** Returns the steps that allow notifications again in this browser's settings. */
export function blockedSteps(agent: string): { browser: string; steps: string[] } {
  if (/iPhone|iPad/.test(agent))
    return {
      browser: 'iPhone and iPad',
      steps: [
        'Open the Settings app and tap Notifications.',
        'Choose Heartward.',
        'Turn on Allow Notifications.',
      ],
    };
  if (/Android/.test(agent) && /Firefox/.test(agent))
    return {
      browser: 'Firefox on Android',
      steps: [
        'Tap the lock beside the address.',
        'Tap Notification until it says Allowed.',
        'Come back here.',
      ],
    };
  if (/Android/.test(agent))
    return {
      browser: 'Android',
      steps: [
        'Tap the icon beside the address, or hold the app’s icon and tap App info.',
        'Tap Permissions or Notifications.',
        'Allow notifications, then come back here.',
      ],
    };
  if (/Firefox/.test(agent))
    return {
      browser: 'Firefox',
      steps: [
        'Tap the icon left of the address bar.',
        'Beside “Send notifications”, remove “Blocked”.',
        'Reload the page and turn notifications on here.',
      ],
    };
  if (/Edg\//.test(agent))
    return {
      browser: 'Edge',
      steps: [
        'Click the lock left of the address.',
        'Open Permissions for this site.',
        'Set Notifications to Allow.',
      ],
    };
  if (/Chrome/.test(agent))
    return {
      browser: 'Chrome',
      steps: [
        'Tap the icon left of the address bar.',
        'Turn on Notifications, or open Site settings and allow them.',
        'Come back to this page.',
      ],
    };
  return {
    browser: 'Safari',
    steps: [
      'Open Safari’s settings and choose Websites.',
      'Choose Notifications at the left.',
      'Set this site to Allow.',
    ],
  };
}
