/** Pulling the plug, cancelling and failing, as a person sees it. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, openNode, pane, runAndWait, runState } from '../designer-driver.ts'
import type { Server } from './serving.ts'
import { putWorkflow, runCli, startServer, test } from './serving.ts'

interface Step {
  readonly kind: string
  readonly parameters?: object
  readonly retry?: object
}

/** A workflow file whose steps follow one another. */
function chain(title: string, steps: Readonly<Record<string, Step>>): object {
  const ids = Object.keys(steps)
  const pairs = ids.slice(1).map((to, index) => [ids[index] ?? '', to] as const)
  return {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: title.toLowerCase().replaceAll(' ', '-'),
    title,
    nodes: steps,
    edges: Object.fromEntries(
      pairs.map(([from, to]) => [
        `${from}-${to}`,
        { from: { node: from, port: 'out' }, to: { node: to, port: 'in' } },
      ]),
    ),
    layout: { nodes: Object.fromEntries(ids.map((id, index) => [id, { x: index * 320, y: 0 }])) },
  }
}

/** Opens a workflow file from the start page. */
async function openFile(page: Page, name: string): Promise<void> {
  await page.getByRole('region', { name: 'Recent workflows' }).getByRole('button', { name }).click()
  await expect(page.getByTestId('run-button')).toBeEnabled()
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // Nobody has this id any more.
    return false
  }
}

test('cancelling a run ends the program that a step had started', async ({ page, server, dataDirectory }) => {
  const parameters = { useShell: true, commandLine: 'while true; do echo "pid $$"; sleep 0.3; done' }
  await putWorkflow(
    dataDirectory,
    'sleep.json',
    chain('Sleep', { sleep: { kind: 'shell-command', parameters } }),
  )
  await page.goto(server.url)
  await openFile(page, 'sleep.json')
  await page.getByTestId('run-button').click()
  await openNode(page, 'sleep', 'Run data')
  // What it prints is there while it still runs.
  const log = page.getByTestId('attempt-log')
  await expect(log).toContainText(/pid \d+/)
  const pid = Number(/pid (\d+)/.exec(await log.innerText())?.[1])
  expect(isAlive(pid)).toBe(true)
  // Its instruments: the time that it may take, who has it for how long, and what it wrote last.
  const sleep = card(page, 'sleep')
  await expect(sleep.getByTestId('limit-ring')).toHaveCount(1)
  await expect(sleep.getByTestId('lease')).toHaveAttribute('aria-label', /^Runner \S+ has it/)
  await expect(sleep.getByTestId('last-line')).toHaveText(`pid ${pid}`)
  await expect(page.getByTestId('following')).toBeVisible()
  await pane(page).hover({ position: { x: 40, y: 40 } })
  await page.mouse.wheel(0, 40)
  await expect(page.getByTestId('following')).toHaveCount(0)
  await page.getByTestId('cancel-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'CANCELLED')
  await expect(card(page, 'sleep')).toHaveAttribute('data-status', 'CANCELLED')
  await expect.poll(() => isAlive(pid)).toBe(false)
  await expect(page.getByTestId('cancel-button')).toBeDisabled()
})

const slow = {
  first: { kind: 'log', parameters: { message: 'Once only' } },
  slow: { kind: 'debug', parameters: { sleepMs: 2_500 } },
  last: { kind: 'log', parameters: { message: 'The end' } },
}

const missing = { program: 'no-such-program-anywhere', arguments: [] }
const broken = {
  broken: { kind: 'shell-command', parameters: missing },
  never: { kind: 'log', parameters: { message: 'Not reached' } },
}

const flaky = {
  kind: 'debug',
  parameters: { failTimes: 1, failMessage: 'The line was busy.' },
  retry: { maxAttempts: 2, backoff: 'fixed', delayMs: 3_000, jitter: 0 },
}

/** A server, and what it serves. */
interface Served {
  readonly server: Server
  readonly dataDirectory: string
}

async function isRefused(page: Page, { server, dataDirectory }: Served): Promise<void> {
  await expect(page.getByTestId('connection')).toHaveAttribute('data-status', 'open')
  const { code, text } = await runCli(['serve', '--data', dataDirectory, '--port', '0'])
  expect(code).not.toBe(0)
  expect(text).toContain(String(server.process.pid))
  expect(text).toMatch(/data directory/i)
  expect(text).not.toMatch(/\n\s+at /)
  await expect(page.getByTestId('connection')).toHaveAttribute('data-status', 'open')
}

async function fails(page: Page): Promise<void> {
  await openFile(page, 'broken.json')
  await runAndWait(page, 'FAILED')
  await expect(card(page, 'broken')).toHaveAttribute('data-status', 'FAILED')
  await expect(card(page, 'never')).not.toHaveAttribute('data-status', 'SUCCESS')
  await page.getByTestId('run-error').getByRole('button', { name: 'Show the step' }).click()
  const error = page.getByTestId('run-error-card')
  await expect(error).toContainText('no-such-program-anywhere')
  await expect(error.locator('p')).not.toBeEmpty()
  await expect(error.locator('code')).not.toBeEmpty()

  // On a narrow canvas what can be done doesn't lie on the words.
  const usual = page.viewportSize()
  await page.setViewportSize({ width: 760, height: 700 })
  const [words, retry] = await Promise.all([
    page.getByTestId('run-error').locator('p').boundingBox(),
    page.getByTestId('run-retry').boundingBox(),
  ])
  expect(words?.width).toBeGreaterThan(150)
  const isBelow = (words?.y ?? 0) + (words?.height ?? 0) <= (retry?.y ?? 0)
  const isBeside = (words?.x ?? 0) + (words?.width ?? 0) <= (retry?.x ?? 0)
  expect(isBelow || isBeside).toBe(true)
  // Half of the window is the canvas', whatever panels are open; the one at the left is there for who goes to it.
  expect((await page.getByTestId('canvas').boundingBox())?.width).toBeGreaterThan(350)
  await page.getByTestId('left-rail').hover()
  await expect(page.getByTestId('left-rail').getByRole('tab', { name: 'Files' })).toBeInViewport({ ratio: 1 })
  if (usual !== null) await page.setViewportSize(usual)
}

async function isTriedAgain(page: Page): Promise<void> {
  await openFile(page, 'flaky.json')
  await page.getByTestId('run-button').click()
  await expect(card(page, 'flaky')).toContainText('Backing off')
  await expect(card(page, 'flaky')).toContainText('The line was busy.')
  // The clock on the card counts down.
  const seconds = async (): Promise<number> =>
    Number.parseFloat((await card(page, 'flaky').locator('time').innerText()).replace('in ', ''))
  const first = await seconds()
  expect(first).toBeLessThanOrEqual(3)
  await expect.poll(seconds, { intervals: [50] }).toBeLessThan(first)
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'flaky').getByRole('img', { name: '2 attempts' })).toBeVisible()
}

async function isKilled(page: Page, { server, dataDirectory }: Served): Promise<void> {
  await openFile(page, 'slow.json')
  await page.getByTestId('run-button').click()
  await expect(card(page, 'first')).toHaveAttribute('data-status', 'SUCCESS')
  await expect(card(page, 'slow')).toHaveAttribute('data-status', 'RUNNING')

  await server.kill()
  await expect(page.getByTestId('connection')).toHaveAttribute('data-status', 'lost')
  await expect(page.getByTestId('run-button')).toBeDisabled()
  await expect(page.getByTestId('cancel-button')).toBeDisabled()
  await expect(page.getByTestId('connection-band')).toContainText('What you draw stays in this window.')
  await page.keyboard.press('F7')
  await expect(page.getByTestId('page-unanswered')).toBeVisible()
  await page.keyboard.press('F7')

  const again = await startServer(dataDirectory)
  try {
    expect(again.url).toBe(server.url)
    await expect(page.getByTestId('connection')).toHaveAttribute('data-status', 'open')
    await expect(page.getByTestId('connection-band')).toHaveCount(0)
    await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
    await expect(card(page, 'slow').getByTestId('step-lost')).toContainText('took over')
    await expect(page.getByTestId('lease')).toHaveCount(0)
    await expect(card(page, 'first').getByTestId('last-line')).toHaveText('Once only')
    await openNode(page, 'first', 'Run data')
    await expect(page.getByTestId('attempt-1')).toHaveAttribute('data-outcome', 'succeeded')
    await expect(page.getByTestId('attempt-2')).toHaveCount(0)
    await openNode(page, 'slow', 'Run data')
    await expect(page.getByTestId('attempt-1')).toHaveAttribute('data-outcome', 'lost')
    await expect(page.getByTestId('attempt-2')).toHaveAttribute('data-outcome', 'succeeded')
    await openNode(page, 'last', 'Run data')
    await expect(page.getByTestId('attempt-log')).toContainText('The end')
    await expect(page.getByTestId('attempt-2')).toHaveCount(0)
  } finally {
    await again.stop()
  }
}

test('what goes wrong with steps and engines is told: a failure, a wait for the next try, a kill, a second engine', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'slow.json', chain('Slow', slow))
  await putWorkflow(dataDirectory, 'broken.json', chain('Broken', broken))
  await putWorkflow(dataDirectory, 'flaky.json', chain('Flaky', { flaky }))
  await page.goto(server.url)
  await test.step('a second engine on the same data directory is refused, and says who has it', () =>
    isRefused(page, { server, dataDirectory }))
  await test.step('a step that fails says what happened and what to do', () => fails(page))
  await page.getByTestId('home-button').click()
  await test.step('a step that is tried again shows its attempts and when the next one comes', () =>
    isTriedAgain(page))
  await page.getByTestId('home-button').click()
  await test.step('an engine that is killed mid-run is started again and the run ends as if nothing happened', () =>
    isKilled(page, { server, dataDirectory }))
})
