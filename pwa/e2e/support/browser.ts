import type { LaunchOptions } from '@playwright/test';

/**
 * Features of Chromium that no test needs. The suggestions below the address bar are two pages for every window,
 * which cost as much as the app.
 */
const unused = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxAimPopup',
  'PreloadTopChromeWebUI',
  // To it a document that a test has changed is of a public site, which may not connect to the server's loopback address.
  'LocalNetworkAccessChecks',
];

/** The features that Playwright disables for stability, repeated here because Chromium uses the last list only. */
const disabledByPlaywright = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Debian's whole Chromium, which needs no download. Without the sandbox it runs as root too. */
const whole: LaunchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${[...unused, ...disabledByPlaywright].join()}`,
  ],
};

/** Fakes a camera and a microphone, and grants their permissions. */
const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** No optimising compilers: a test ends before their work pays off. Bytecode and inline caches stay. */
const withoutCompilers = '--js-flags=--no-maglev,--no-turbofan';

/**
 * Chromium's headless shell if there is one: the same pages without windows, for half the processor time. All
 * tests of it have the camera, because a file with its own launch options costs each worker another browser and
 * another server.
 */
const shell: LaunchOptions = {
  ...whole,
  executablePath: process.env.CHROMIUM_SHELL || whole.executablePath,
  args: [...(whole.args ?? []), ...camera],
};

export const launchOptions: LaunchOptions = { ...shell, args: [...(shell.args ?? []), withoutCompilers] };

/** For figures of speed, with the compilers that a member's browser has. */
export const benchOptions: LaunchOptions = shell;

/** The whole browser, for features the shell lacks: notifications and installed apps. */
export const wholeBrowser = { launchOptions: whole };
