/** The Chromium that tests and pictures are made with, and how it is started. */

/** Playwright's own list: Chromium hears the last `--disable-features` alone, which is ours. */
const offForPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/**
 * Parts of the window around the page, which nobody sees without a screen. Each is a page of its own, made anew for
 * every window: half of the time of opening one went into what would suggest addresses.
 */
const offForSpeed = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
]

/** For Playwright's `launch`. */
export const chromiumOptions = {
  executablePath: process.env['SAGASMITH_CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    `--disable-features=${[...offForPlaywright, ...offForSpeed].join(',')}`,
    // Chromium refuses to start its sandbox as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ],
}
