/**
 * Takes the README's pictures: the real app with real runs. By hand, after a build:
 * `node test/e2e/screenshots.ts`.
 */

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { expect as atOnce, chromium } from '@playwright/test'
import { putWorkflow, startRunner, startServer } from './browser/serving.ts'
import { chromiumOptions } from './chromium.ts'
import { card, openNode, runState, typeInto, unfold } from './designer-driver.ts'

/** The pictures are taken on machines that have other things to do, too. */
const expect = atOnce.configure({ timeout: 60_000 })

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

const format = { format: 'sagasmith.workflow', schemaVersion: 1 }

/** The day starts orders, each order starts bills: a family. */
const family = [
  {
    ...format,
    id: 'wf_invoice',
    title: 'Write the invoice',
    nodes: { write: { kind: 'delay', parameters: { amount: 400, unit: 'milliseconds' } } },
    edges: {},
    layout: { nodes: { write: { x: 0, y: 0 } } },
  },
  {
    ...format,
    id: 'wf_order',
    title: 'One order',
    nodes: {
      bill: { kind: 'sub-workflow', title: 'Bill', parameters: { workflow: './invoice.json' } },
      remind: { kind: 'sub-workflow', title: 'Remind', parameters: { workflow: './invoice.json' } },
    },
    edges: { next: { from: { node: 'bill', port: 'out' }, to: { node: 'remind', port: 'in' } } },
    layout: { nodes: { bill: { x: 0, y: 0 }, remind: { x: 320, y: 0 } } },
  },
  {
    ...format,
    id: 'wf_day',
    title: 'All orders of the day',
    nodes: {
      each: { kind: 'map', title: 'Each order', parameters: { items: '[1..6]', limit: 3 } },
      order: {
        kind: 'sub-workflow',
        title: 'Its run',
        parent: 'each',
        parameters: { workflow: './order.json' },
      },
      report: { kind: 'log', title: 'Report', parameters: { message: 'Done' } },
    },
    edges: { next: { from: { node: 'each', port: 'out' }, to: { node: 'report', port: 'in' } } },
    layout: { nodes: { each: { x: 0, y: 0 }, order: { x: 32, y: 88 }, report: { x: 380, y: 60 } } },
  },
]

/** Somebody typed its secrets into the fields. */
const shop = {
  ...format,
  id: 'wf_shop',
  title: 'Orders of the shop',
  nodes: {
    ask: {
      kind: 'http-request',
      title: 'Ask for orders',
      parameters: { url: 'https://shop.example/orders', headers: { Authorization: 'Bearer 5b1f0c' } },
    },
    store: {
      kind: 'http-request',
      title: 'Store them',
      parameters: { url: 'https://store.example/in', headers: { 'X-Api-Key': '77aa' } },
      mocks: { usual: { output: { token: 'f3c1' } } },
    },
  },
  edges: { next: { from: { node: 'ask', port: 'out' }, to: { node: 'store', port: 'in' } } },
  layout: { nodes: { ask: { x: 0, y: 0 }, store: { x: 320, y: 0 } } },
}

/** A step that only a person can say what it counts as once it was cut off. */
const payment = {
  ...format,
  id: 'wf_payment',
  title: 'Pay the supplier',
  nodes: {
    check: { kind: 'transform', title: 'Check the amount', parameters: { expression: '{ "amount": 420 }' } },
    pay: {
      kind: 'shell-command',
      title: 'Pay',
      parameters: { program: 'sleep', arguments: ['600'] },
    },
    thank: { kind: 'log', title: 'Say thanks', parameters: { message: 'Thank you' } },
    approve: { kind: 'wait-signal', title: 'Approval', parameters: { name: 'approved' } },
  },
  edges: {
    one: { from: { node: 'check', port: 'out' }, to: { node: 'pay', port: 'in' } },
    two: { from: { node: 'pay', port: 'out' }, to: { node: 'thank', port: 'in' } },
    three: { from: { node: 'check', port: 'out' }, to: { node: 'approve', port: 'in' } },
  },
  layout: {
    nodes: {
      check: { x: 0, y: 0 },
      pay: { x: 320, y: 0 },
      thank: { x: 640, y: 0 },
      approve: { x: 320, y: 180 },
    },
  },
}

const dataDirectory = await mkdtemp(join(tmpdir(), 'sagasmith-screenshots-'))
await mkdir(target, { recursive: true })
let server = await startServer(dataDirectory)
const browser = await chromium.launch(chromiumOptions)
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
  await takeFollowed(page)

  await page.getByTestId('home-button').click()
  await openSample(page, 'order-saga')
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATED')
  await page.keyboard.press('ControlOrMeta+b')
  await page.keyboard.press('ControlOrMeta+i')
  await expect(page.getByTestId('canvas')).not.toHaveAttribute('data-rewinding')
  await fit(page)
  await take(page, 'rollback')
  await page.keyboard.press('ControlOrMeta+b')
  await page.keyboard.press('ControlOrMeta+i')
  await page.getByRole('button', { name: 'Put away' }).click()
  await page.getByTestId('run-error').getByRole('button', { name: 'Show the step' }).click()
  await expect(page.getByTestId('run-error-card')).toBeVisible()
  await take(page, 'failed')
  await takeEngine(page)
  await takeTurns(page)
  await takeBeginning(page)
  await takeExport(page)
  await takeFamily(page)
  await takeRunners(page)
  await takeDoubt(page)
}

/** Where a value of the shown run comes from, and who reads it. */
async function takeFollowed(page: Page): Promise<void> {
  await page.getByTestId('run-output').getByRole('treeitem').nth(1).focus()
  await page.keyboard.press('Shift+Enter')
  await expect(page.getByTestId('followed-hops').getByRole('listitem').nth(1)).toBeVisible()
  await fit(page)
  await take(page, 'follow-value')
  await page.getByLabel('Close the bottom panel').click()
}

/** What the last runs of the open workflow did. */
async function takeGhosts(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop showing this run' }).click()
  await page.getByTestId('ghosts-button').click()
  await expect(page.getByTestId('ghost-bar')).toContainText('The last 3 runs')
  await fit(page)
  await take(page, 'ghosts')
  await page.getByTestId('ghosts-button').click()
}

/** A new workflow, and what its first step says about how it runs. */
async function takeBeginning(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByTestId('home-button').click()
  await page.getByTestId('new-workflow').click()
  await expect(page.getByTestId('empty-canvas')).toBeVisible()
  await take(page, 'begin')
  await page.getByTestId('begin-shell-command').click()
  await openNode(page, 'shellCommand')
  await typeInto(page, 'parameters.program', 'pay')
  await openNode(page, 'shellCommand', 'Settings')
  await unfold(page, 'When it is cut off')
  await unfold(page, 'How many at a time')
  await typeInto(page, 'concurrency.running', 'TASK')
  await typeInto(page, 'concurrency.limit', '4')
  await typeInto(page, 'concurrency.onFull', 'reroute')
  await page.getByTestId('field-sideEffect').scrollIntoViewIfNeeded()
  await page.getByTestId('field-concurrency.onFull').scrollIntoViewIfNeeded()
  await take(page, 'settings')
}

/** A workflow with passwords in its fields, before it is handed over. */
async function takeExport(page: Page): Promise<void> {
  await putWorkflow(dataDirectory, 'shop.json', shop)
  await openWorkflow(page, shop.title)
  await page.getByTestId('export-button').click()
  await page.getByRole('menuitem', { name: 'Export as JSON' }).click()
  await expect(page.getByTestId('export-secrets')).toBeVisible()
  await take(page, 'export-secrets')
  await page.keyboard.press('Escape')
}

/** Runs that started each other. */
async function takeFamily(page: Page): Promise<void> {
  for (const [index, name] of ['invoice', 'order', 'day'].entries()) {
    await putWorkflow(dataDirectory, `${name}.json`, family[index] ?? {})
  }
  await openWorkflow(page, 'All orders of the day')
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await page.keyboard.press('Shift+F9')
  const folded = page.getByTestId('family').getByRole('button', { expanded: false })
  await folded.first().click()
  await fit(page)
  await take(page, 'family')
  await page.keyboard.press('Shift+F9')
}

/** Two runners at work, and one that was killed. */
async function takeRunners(page: Page): Promise<void> {
  const [lost, other] = [startRunner(dataDirectory), startRunner(dataDirectory)]
  await page.keyboard.press('F7')
  const row = (pid: number) => page.locator('tr[data-state]', { hasText: `· ${pid}` })
  for (const { pid } of [lost, other]) {
    await expect(row(pid)).toHaveAttribute('data-state', 'Working')
  }
  lost.kill()
  await expect(row(lost.pid)).toHaveAttribute('data-state', 'Lost')
  await page.emulateMedia({ colorScheme: 'dark' })
  await take(page, 'runners')
  other.kill()
  await page.keyboard.press('F7')
}

/** Opens a file that was just put there: the newest are on the start page. */
async function openWorkflow(page: Page, title: string): Promise<void> {
  await page.getByTestId('home-button').click()
  await page.getByText(title).first().click()
  await expect(page.getByTestId('document-title')).toHaveValue(title)
}

/** A payment that the power cut off. */
async function takeDoubt(page: Page): Promise<void> {
  await putWorkflow(dataDirectory, 'payment.json', payment)
  await openWorkflow(page, 'Pay the supplier')
  await page.getByTestId('run-button').click()
  await expect(card(page, 'pay')).toHaveAttribute('data-status', 'RUNNING')
  await server.kill()
  server = await startServer(dataDirectory)
  await expect(card(page, 'pay')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  await page.getByTestId('run-doubt-show').click()
  await fit(page)
  await take(page, 'doubt')
}

/** The pages of the engine, with something on them. */
async function takeEngine(page: Page): Promise<void> {
  for (let letters = 2; letters <= 3; letters += 1) {
    await page.getByTestId('run-button').click()
    await page.getByTestId('start-button').click()
    await expect(page.getByTestId('letters-count')).toHaveText(String(letters))
  }
  await takeGhosts(page)
  await page.getByTestId('letters-button').click()
  await page.getByTestId('letter-list').focus()
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
  await putWorkflow(dataDirectory, 'turns.json', turns)
  await openWorkflow(page, turns.title)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByTestId('run-button').click()
  const done = card(page, 'each').locator('[data-mark="d"]')
  await expect.poll(() => done.count()).toBeGreaterThan(9)
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
    document.getAnimations().every(
      ({ playState, effect }) =>
        playState !== 'running' ||
        effect?.getTiming().iterations === Number.POSITIVE_INFINITY ||
        // A claim that drains, a time limit that is used up: these move too slowly to be seen.
        Number(effect?.getTiming().duration) > 5_000,
    ),
  )
  await page.screenshot({ path: join(target, `${name}.png`) })
  process.stdout.write(`docs/images/${name}.png\n`)
}
