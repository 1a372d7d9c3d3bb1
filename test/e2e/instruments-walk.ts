/**
 * A walk through the instruments of runs: what a person sees of a run and does with it, the same in the browser, in the
 * desktop app and on a cluster. Each part goes on from where the one before ended; the specs say where it is walked.
 */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, pane, runState } from './designer-driver.ts'

const transform = (expression: string) => ({ kind: 'transform', parameters: { expression } })
const link = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})

/** Six cards that two may be charged at once, one of them refused; and a bill that reads what came before. */
export const walked = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_walked',
  title: 'Charge everybody',
  nodes: {
    order: transform('{"customer": "Ada", "lines": [4, 6]}'),
    each: { kind: 'map', parameters: { items: '[1..6]', limit: 6, tolerate: 6 } },
    charge: {
      kind: 'debug',
      parent: 'each',
      parameters: { sleepMs: 1_500 },
      concurrency: { running: 'TASK', limit: 2, onFull: 'reroute' },
    },
    judge: { ...transform('input = 3 ? $error("card refused") : input'), parent: 'each' },
    bill: transform('{"to": nodes.order.output.customer, "amount": $sum(nodes.order.output.lines)}'),
  },
  edges: {
    a: link('order', 'each'),
    b: link('charge', 'judge'),
    c: link('each', 'bill'),
  },
  layout: {
    nodes: {
      order: { x: 0, y: 60 },
      each: { x: 300, y: 0, width: 620, height: 240 },
      charge: { x: 40, y: 90 },
      judge: { x: 340, y: 90 },
      bill: { x: 1_000, y: 60 },
    },
  },
}

/** Opens the workflow from the start page. */
export async function openWalked(page: Page): Promise<void> {
  // A page that has just been drawn may take the first press for nothing.
  await expect(async () => {
    if (!(await card(page, 'order').isVisible()))
      await page.getByText(walked.title).first().click({ timeout: 2_000 })
    await expect(card(page, 'order')).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
}

const runId = async (page: Page): Promise<string> => (await runState(page).getAttribute('data-run-id')) ?? ''

/** Runs it; the gate has who is at work and who waits, ink goes along the edges, the deck has the items. */
export async function seeItLive(page: Page, run: () => Promise<void>): Promise<string> {
  await run()
  await expect(page.getByTestId('gate-charge')).toBeVisible()
  await expect(page.getByTestId('explain')).not.toBeEmpty()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(page.locator('[data-ink="taken"]').first()).toBeAttached()
  const deck = page.getByTestId('deck-each')
  await deck.getByRole('button', { name: /failed/ }).click()
  await expect(deck).toContainText('No. 3 of 6')
  await expect(card(page, 'judge')).toHaveAttribute('data-status', 'FAILED')
  return runId(page)
}

/** The playhead rules the canvas. */
export async function goBackInTime(page: Page): Promise<void> {
  await page.getByTestId('timeline-button').click()
  await expect(card(page, 'bill')).toHaveAttribute('data-status', 'SUCCESS')
  await page.getByTestId('playhead').press('Home')
  await expect(page.getByTestId('playhead-event')).toHaveText('Before the run')
  await expect(card(page, 'bill')).not.toHaveAttribute('data-status', 'SUCCESS')
  await page.getByRole('button', { name: 'Next event' }).click()
  await expect(page.getByTestId('playhead-event')).toContainText('Run created')
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await expect(card(page, 'bill')).toHaveAttribute('data-status', 'SUCCESS')
}

/** From what the bill says back to the order. */
export async function followAValue(page: Page): Promise<void> {
  await card(page, 'bill').click()
  await page.keyboard.press('w')
  await expect(page.getByTestId('followed-bill')).toHaveAttribute('data-role', 'here')
  await expect(page.getByTestId('followed-hops')).toContainText('order')
}

/** What the last runs did, drawn on the canvas. */
export async function seeGhosts(page: Page): Promise<void> {
  await pane(page).click({ position: { x: 20, y: 20 } })
  await page.keyboard.press('h')
  await expect(page.getByTestId('ghost-bar')).toContainText('1 succeeded')
  await expect(page.getByTestId('ghost-order')).toContainText('1/1')
  await page.getByRole('button', { name: 'Hide the last runs' }).click()
  await expect(page.getByTestId('ghost-order')).toHaveCount(0)
}

/** A run that goes on from the bill, laid beside the one that it came from. */
export async function forkAndCompare(page: Page): Promise<void> {
  const before = await runId(page)
  await card(page, 'bill').click()
  await page.keyboard.press('ControlOrMeta+Alt+f')
  const fork = page.getByTestId('fork-dialog')
  await fork.getByTestId('fork-send').click()
  await expect(fork).toHaveCount(0)
  await expect(runState(page)).not.toHaveAttribute('data-run-id', before)
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await page.getByTestId('compare-button').click()
  await expect(page.getByTestId('compare-dialog').getByTestId('compare-part')).not.toBeEmpty()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('compare-dialog')).toHaveCount(0)
}

async function openPage(page: Page, name: string): Promise<void> {
  if ((await page.getByTestId('engine-page').count()) === 0) await page.getByTestId('engine-button').click()
  await page.getByTestId('engine-page').getByRole('tab', { name, exact: true }).click()
}

/** Both runs on their page: kept as a view, and run again at once. */
export async function steerMany(page: Page): Promise<void> {
  await openPage(page, 'Runs')
  const rows = page.getByTestId('runs-row')
  await expect(rows).toHaveCount(2)
  await page.getByTestId('runs-state-SUCCEEDED').click()
  await page.getByTestId('runs-save').click()
  await page.getByTestId('runs-view-name').fill('Went well')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('runs-views')).toContainText('Went well')
  for (const index of [0, 1]) await page.locator('[data-testid^="runs-mark-"]').nth(index).check()
  await page.getByTestId('bulk-rerun').click()
  await page.getByTestId('confirm-button').or(page.getByTestId('bulk-results-close')).first().waitFor()
  if (await page.getByTestId('confirm-button').isVisible()) await page.getByTestId('confirm-button').click()
  await expect(page.getByTestId('bulk-result')).toHaveCount(2)
  await page.getByTestId('bulk-results-close').click()
  await expect(page.getByTestId('runs-state-SUCCEEDED')).toContainText('4')
}

/** The tries in the lanes of their runners, and the way from the log to the run as it was. */
export async function seeLanesAndLogs(page: Page): Promise<void> {
  await openPage(page, 'Runners')
  await expect(page.getByTestId('lane-bar').first()).toBeVisible()
  await expect(page.locator('[data-testid="lane-bar"][data-outcome="failed"]').first()).toBeAttached()
  await openPage(page, 'Logs')
  await page.getByTestId('logs-text').fill('card refused')
  const rows = page.getByTestId('log-row').filter({ hasText: 'Transform@each' })
  await expect(rows.first()).toContainText('card refused')
  await rows.first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('engine-page')).toHaveCount(0)
  await expect(page.getByTestId('playhead-event')).toContainText('judge')
  await page.getByRole('button', { name: 'Live', exact: true }).click()
}

/** The run as a test of its workflow, which passes. */
export async function keepAsTest(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Tests' }).click()
  await page.getByTestId('keep-test').click()
  await page.getByTestId('test-name').fill('as it went')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('test-as it went')).toHaveAttribute('data-tone', 'good')
}
