import type { LaunchOptions } from '@playwright/test';

/**
 * Parts of the browser that nobody looks at here, by the names of Chromium's features. What lists suggestions below
 * the address is two pages of its own for every window, and cost as much as the app does.
 */
const unused = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxAimPopup',
  'PreloadTopChromeWebUI',
];

/** What Playwright turns off for steady tests: the browser takes the last list only, so it is said again. */
const unsteady = [
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

/** Debian's Chromium as it is on a desk, which needs no download; without a sandbox it runs as root too. */
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
    `--disable-features=${[...unused, ...unsteady].join()}`,
  ],
};

/** A camera and a microphone that Chromium plays itself, and allows. */
const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/**
 * Chromium's headless shell where there is one: the same pages without the windows around them, for half the time
 * of the processor. Every test has the camera: a file with launch options of its own costs each worker another
 * browser and another server.
 */
export const launchOptions: LaunchOptions = {
  ...whole,
  executablePath: process.env.CHROMIUM_SHELL || whole.executablePath,
  args: [...(whole.args ?? []), ...camera],
};

/** The whole browser, for what the shell has not: notifications, and apps that are installed. */
export const wholeBrowser = { launchOptions: whole };
