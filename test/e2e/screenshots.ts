/**
 * Takes the README's pictures: the real app with real runs. By hand, after a build:
 * `node test/e2e/screenshots.ts`.
 */

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { chromium, expect } from '@playwright/test'
import { putWorkflow, startServer } from './browser/serving.ts'
import { card, openNode, runState } from './designer-driver.ts'

const target = resolve(import.meta.dirname, '../../docs/images')

const turns = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_turns',
  title: 'Ask each supplier',
  nodes: {
    each: {
      kind: 'map',
      title: 'Each supplier',
      parameters: { items: '[1..24]', limit: 5, tolerate: 24 },
    },
    look: {
      kind: 'transform',
      title: 'Look up',
      parent: 'each',
      parameters: { expression: "input % 7 = 3 ? $error('No such supplier') : { 'supplier': input }" },
    },
    again: { kind: 'loop', title: 'Three times', parent: 'each', parameters: { mode: 'count', count: 3 } },
    pause: { kind: 'delay', parent: 'again', parameters: { amount: 1, unit: 'seconds' } },
  },
  edges: { first: { from: { node: 'look', port: 'out' }, to: { node: 'again', port: 'in' } } },
  layout: {
    nodes: {
      each: { x: 0, y: 0 },
      look: { x: 32, y: 88 },
      again: { x: 320, y: 88 },
      pause: { x: 352, y: 176 },
    },
  },
}

const dataDirectory = await mkdtemp(join(tmpdir(), 'sagasmith-screenshots-'))
await mkdir(target, { recursive: true })
await putWorkflow(dataDirectory, 'turns.json', turns)
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
  await takeEngine(page)
  await takeTurns(page)
}

/** The pages of the engine, with something on them. */
async function takeEngine(page: Page): Promise<void> {
  for (let letters = 2; letters <= 3; letters += 1) {
    await page.getByTestId('run-button').click()
    await page.getByTestId('start-button').click()
    await expect(page.getByTestId('letters-count')).toHaveText(String(letters), { timeout: 60_000 })
  }
  await page.getByTestId('letters-button').click()
  await page.getByTestId('letters-list').focus()
  await page.keyboard.press('ArrowDown')
  await page.emulateMedia({ colorScheme: 'dark' })
  await take(page, 'dead-letters')

  await page.getByRole('tab', { name: 'Pools' }).click()
  await page.getByTestId('pool-limit-default').fill('8')
  await page.keyboard.press('Enter')
  await page.getByTestId('pool-name').fill('gpu')
  await page.getByTestId('pool-add').click()
  for (const topic of ['render', 'transcode']) {
    await page.getByTestId('pool-topic-gpu').fill(topic)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel(`Take ${topic} from gpu`)).toBeVisible()
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await take(page, 'pools')
  await page.getByLabel('Back to the workflow').click()
}

/** A map with a loop in it, some of its items failed, one of them picked. */
async function takeTurns(page: Page): Promise<void> {
  await page.getByTestId('home-button').click()
  await page.getByText(turns.title).first().click()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByTestId('run-button').click()
  const done = card(page, 'each').locator('[data-mark="d"]')
  await expect.poll(() => done.count(), { timeout: 60_000 }).toBeGreaterThan(9)
  await openNode(page, 'pause', 'Run data')
  await page.getByTestId('turns-each').getByRole('slider').focus()
  await page.keyboard.press('Home')
  await take(page, 'turns')
}

/** Fits the workflow and waits until the view has come to rest. */
async function fit(page: Page): Promise<void> {
  const view = page.locator('.react-flow__viewport')
  await page.getByTestId('fit-button').click()
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
