/** What each runner did: tries as bars over time, who took over from whom, and whose turn it is at the chores. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, runState } from '../designer-driver.ts'
import { putWorkflow, startRunner, test } from './serving.ts'

const flaky = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_flaky',
  title: 'Call the bank',
  nodes: {
    call: {
      kind: 'debug',
      parameters: { failTimes: 1, failMessage: 'The line is busy.', sleepMs: 400 },
      retry: { maxAttempts: 2, delayMs: 300 },
    },
    book: { kind: 'debug', parameters: { sleepMs: 400 } },
  },
  edges: { e: { from: { node: 'call', port: 'out' }, to: { node: 'book', port: 'in' } } },
  layout: { nodes: { call: { x: 0, y: 0 }, book: { x: 320, y: 0 } } },
}

/** So many at the same time that two runners share them. */
const many = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_many',
  title: 'Ask everybody',
  nodes: {
    each: { kind: 'map', parameters: { items: '[1..24]', limit: 24 } },
    ask: { kind: 'debug', parent: 'each', parameters: { sleepMs: 3000 } },
  },
  edges: {},
  layout: { nodes: { each: { x: 0, y: 0, width: 400, height: 220 }, ask: { x: 40, y: 60 } } },
}

const bars = (page: Page, outcome: string) =>
  page.locator(`[data-testid="lane-bar"][data-outcome="${outcome}"]`)

async function openRunners(page: Page): Promise<void> {
  await page.getByTestId('engine-button').click()
  await page.getByRole('tab', { name: 'Runners' }).click()
  await expect(page.getByTestId('runner-lanes')).toBeVisible()
}

test('each try is a bar that is read, gone to by keys, looked at closer, and leads to its run at that moment', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'flaky.json', flaky)
  await page.goto(server.url)
  await openRunners(page)
  await expect(page.getByTestId('runner-lanes')).toContainText('No step was at work in this time.')
  const legend = page.getByRole('list', { name: 'What the bars mean' }).getByRole('listitem')
  await expect(legend.filter({ hasText: 'skipped' }).locator('i')).toHaveCSS('border-style', 'dashed')
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByText(flaky.title).first().click()
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'RUNNING')
  await openRunners(page)
  // What was at work when the lanes are told to stand still would have no end.
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await page.getByTestId('lanes-span').selectOption('1h')
  // Of an hour some seconds are too little to tell them apart: they are one, until one looks closer.
  const joined = page.locator('[data-testid="lane-bar"][data-many]')
  await expect(joined).toHaveAttribute('title', /^3 tries close together, failed among them/)
  await page.getByTestId('lanes-live').click()
  await expect(page.getByTestId('lanes-live')).toHaveAttribute('aria-pressed', 'false')
  await joined.click()
  await expect(bars(page, 'failed')).toHaveCount(1)
  await expect(bars(page, 'succeeded')).toHaveCount(2)

  await bars(page, 'failed').hover()
  await expect(page.getByTestId('lane-told')).toContainText('Debug helper of Call the bank, try 1: failed')
  await expect(page.getByTestId('lane-told')).toContainText('The line is busy.')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }

  // All of it comes back with one press; a part of it is dragged over on the strip above.
  const whole = page.getByRole('button', { name: 'Show all of it' })
  await whole.click()
  await expect(whole).toBeDisabled()
  await expect(joined).toHaveCount(1)
  const box = (await page.getByTestId('timeline-overview').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
  const { x: mark = 0 } = (await joined.boundingBox()) ?? {}
  const y = box.y + box.height / 2
  await page.mouse.move(mark - 12, y)
  await page.mouse.down()
  await page.mouse.move(mark + 12, y, { steps: 5 })
  await page.mouse.up()
  await expect(whole).toBeEnabled()
  await expect(bars(page, 'failed')).toHaveCount(1)

  await bars(page, 'succeeded').first().focus()
  await page.keyboard.press('Home')
  await expect(bars(page, 'failed')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('engine-page')).toHaveCount(0)
  // As it was when the first try had failed: the second hasn't begun.
  await expect(page.getByTestId('playhead-event')).toContainText('call: Retrying')
  await expect(card(page, 'call')).toHaveAttribute('data-status', 'RETRY')
})

interface Shop {
  readonly page: Page
  readonly dataDirectory: string
}

const inTable = (page: Page, pid: number) =>
  page
    .getByTestId('runners-table')
    .locator('tbody tr')
    .filter({ hasText: `· ${pid}` })

/** A second runner, which has a window of the chores from then on. */
async function secondComes({ page, dataDirectory }: Shop): Promise<ReturnType<typeof startRunner>> {
  const chores = page.getByTestId('chores')
  await expect(chores).toContainText('it is all its own')
  await expect(page.getByTestId('chores-strip').locator('[data-current]')).toHaveCount(1)
  const second = startRunner(dataDirectory)
  await expect(page.getByTestId('chores-strip').locator('[data-current]')).toHaveCount(2)
  await expect(chores).toContainText('at the end of each window are kept free')
  await expect(chores.getByText('next in').first()).toBeVisible()
  await expect(page.getByTestId('chore-turns').locator('tbody tr').first()).toContainText(/Done|Skipped/)
  return second
}

/** It dies while it has work of a run. */
async function secondDies(page: Page, runner: ReturnType<typeof startRunner>): Promise<void> {
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByText(many.title).first().click()
  await page.getByTestId('run-button').click()
  await openRunners(page)
  const id = (await inTable(page, runner.pid).locator('code').textContent()) ?? ''
  const own = page.getByTestId(`lanes-of-${id}`).getByTestId('lane-bar')
  await expect(own.and(page.locator('[data-outcome="at-work"]')).first()).toBeVisible()
  runner.kill()
  await expect(own.and(page.locator('[data-outcome="lost"]')).first()).toBeVisible()
  await expect(page.getByTestId('take-overs').locator('line').first()).toBeAttached()
  const over = page.getByTestId('lane-bar').and(page.locator(`[title*="took over from ${id}"]`))
  await expect(over.first()).toBeAttached()
  await over.first().hover()
  await expect(page.getByTestId('lane-told')).toContainText(`took over from ${id}`)
}

test('a runner that comes has a window of the chores; one that dies is lost and leaves torn bars', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'many.json', many)
  await page.goto(server.url)
  await page.keyboard.press('F7')
  const rows = page.getByTestId('runners-table').locator('tbody tr')
  await expect(rows).toHaveCount(1)
  await expect(page.getByTestId('runners-room')).toContainText('room for 16 more')
  const runner =
    await test.step('the chores have a window for each runner, and the last turns with their outcome', () =>
      secondComes({ page, dataDirectory }))
  const row = inTable(page, runner.pid)
  await expect(row).toHaveAttribute('data-state', 'Working')
  await expect(row).toContainText('Score')
  await expect(rows).toHaveCount(2)

  await test.step('a runner that dies leaves torn bars, and lines lead to who took over', () =>
    secondDies(page, runner))
  await test.step('a runner that was killed is lost, not stopped', async () => {
    await expect(row).toHaveAttribute('data-state', 'Lost')
    await expect(row).toContainText('last heard')
    await expect(page.getByTestId('chores-strip').locator('[data-current]')).toHaveCount(1)
  })
})
