/**
 * Takes the README's pictures: the real app with real runs. By hand, after a build:
 * `node test/e2e/screenshots.ts`.
 */

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { chromium, expect } from '@playwright/test'
import { startServer } from './browser/serving.ts'
import { openNode, runState } from './designer-driver.ts'

const target = resolve(import.meta.dirname, '../../docs/images')

const dataDirectory = await mkdtemp(join(tmpdir(), 'sagasmith-screenshots-'))
await mkdir(target, { recursive: true })
const server = await startServer(dataDirectory)
const browser = await chromium.launch({
  executablePath: process.env['SAGASMITH_CHROMIUM'] ?? '/usr/bin/chromium',
  // Chromium refuses to start its sandbox as root.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: 1,
    colorScheme: 'light',
  })
  await page.goto(server.url)
  await takeAll(page)
} finally {
  await browser.close()
  await server.stop()
  await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 })
}

async function takeAll(page: Page): Promise<void> {
  await expect(page.getByTestId('sample-orders')).toBeVisible()
  await take(page, 'start')

  // The whole workflow is in the picture: without the side panels, and fitted.
  await openSample(page, 'log-summary')
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await page.keyboard.press('ControlOrMeta+b')
  await page.keyboard.press('ControlOrMeta+i')
  await fit(page)
  await take(page, 'canvas-run')
  await page.keyboard.press('ControlOrMeta+b')
  await page.keyboard.press('ControlOrMeta+i')

  await page.getByTestId('home-button').click()
  await openSample(page, 'orders')
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await openNode(page, 'check_orders', 'Run data')
  await expect(page.getByTestId('run-output')).toBeVisible()
  await page.getByTestId('timeline-button').click()
  await expect(page.getByTestId('playhead')).toBeVisible()
  await take(page, 'inspector')

  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await take(page, 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByTestId('timeline-button').click()

  await page.getByTestId('home-button').click()
  await openSample(page, 'order-saga')
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
  await page.getByTestId('run-error').getByRole('button', { name: 'Show the step' }).click()
  await expect(page.getByTestId('run-error-card')).toBeVisible()
  await take(page, 'failed')
}

/** Fits the workflow and waits until the view has come to rest. */
async function fit(page: Page): Promise<void> {
  const view = page.locator('.react-flow__viewport')
  const before = await view.getAttribute('style')
  await page.getByTestId('fit-button').click()
  await expect(view).not.toHaveAttribute('style', before ?? '')
  let last: string | null = null
  await expect
    .poll(async () => {
      const now = await view.getAttribute('style')
      const isAtRest = now === last
      last = now
      return isAtRest
    })
    .toBe(true)
}

async function openSample(page: Page, name: string): Promise<void> {
  await page.getByTestId(`sample-${name}`).getByRole('button', { name: 'Open and run' }).click()
}

/** One picture, once everything that moves has come to rest. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(720, 899)
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  )
  await page.screenshot({ path: join(target, `${name}.png`) })
  process.stdout.write(`docs/images/${name}.png\n`)
}
