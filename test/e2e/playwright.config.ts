/** End-to-end tests: the browser shell in real Chromium, and the desktop app (stand-in or real Electron). */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from '@playwright/test'
import type { Fixtures } from './browser/serving.ts'
import { chromiumOptions } from './chromium.ts'
import { namesOfWindowFlows } from './window-flows.ts'

const root = resolve(import.meta.dirname, '../..')

export default defineConfig<Pick<Fixtures, 'shell'>>({
  testDir: import.meta.dirname,
  testMatch: '**/*.e2e.ts',
  outputDir: resolve(root, 'test-results'),
  // A test waits for its servers and for what it shows about as long as it works; whole files stay on one worker.
  workers: Math.max(2, availableParallelism() - 1),
  // A second try on a busy machine; the summary names whatever needed it, for that is to be mended.
  retries: 1,
  forbidOnly: true,
  // They end what hangs: a machine that is busy with other things may be many times as slow.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  // The pictures are part of the docs.
  snapshotPathTemplate: resolve(root, 'docs/screens/{arg}{ext}'),
  reporter: [['list']],
  use: {
    // What can't be pressed by then never can: without an end of its own a press waits for that of its test.
    actionTimeout: 120_000,
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1440, height: 900 },
    // To record each test, to throw nearly all of it away, takes a quarter of the time.
    trace: 'on-first-retry',
    launchOptions: chromiumOptions,
  },
  projects: [
    // Without motion, which is a sixth of a flow and is played in the window; what is about it asks for it.
    {
      name: 'browser',
      testMatch: 'browser/**/*.e2e.ts',
      use: { contextOptions: { reducedMotion: 'reduce' } },
    },
    { name: 'desktop', testMatch: 'desktop/**/*.e2e.ts' },
    // The designer's flows once more, in the window of the desktop app.
    {
      name: 'window',
      testMatch: 'browser/**/*.e2e.ts',
      grep: [...namesOfWindowFlows],
      use: { shell: 'desktop' },
    },
  ],
})
