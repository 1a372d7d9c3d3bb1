/** A run that fails takes back what it did: seen on the canvas, and as a list with what was left behind. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openAnother, openNode, runState } from '../designer-driver.ts'
import {
  bankIsClosed,
  failingOrder,
  givesBack,
  notCalledBack,
  openOrder,
  orderOf,
  steps,
} from '../order-saga.ts'
import { putWorkflow, test } from './serving.ts'

async function waitsForPerson(page: Page): Promise<void> {
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATION_FAILED')
  const end = page.getByTestId('rewind-card')
  await expect(end.getByRole('heading').first()).toHaveText(
    'One step could not be undone; 0 of 2 are. It waits for you.',
  )
  await expect(end.getByTestId('rewound-charge')).toContainText('The bank is closed')
  await expect(card(page, 'charge')).toHaveAttribute('data-undo-phase', 'failed')

  await end.getByTestId('undo-retry-charge').click()
  // The panel has the same, with more; the card makes room for it.
  await end.getByTestId('rewind-all').click()
  await expect(end).toHaveCount(0)
  await expect(page.getByTestId('undo-entry-charge')).toContainText('2 attempts')
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATION_FAILED')

  await page.getByTestId('undo-skip-charge').click()
  const dialog = page.getByTestId('reason-dialog')
  await dialog.getByTestId('reason-text').fill('Refunded by phone')
  await dialog.getByTestId('reason-send').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATED')
  await expect(card(page, 'reserve')).toHaveAttribute('data-undo-phase', 'done')
  await expect(page.getByTestId('left-behind')).toContainText('Charge')
}

const row = {
  reserve: { ...steps.reserve, compensation: givesBack },
  charge: steps.charge,
  mail: { ...steps.mail, compensation: notCalledBack },
}
/** The same with a bank that is closed, and with one step that nobody says how to undo. */
const stuck = { ...failingOrder(bankIsClosed), id: 'wf_stuck', title: 'Get stuck' }
const goesWell = { ...orderOf({ row }), id: 'wf_well', title: 'Go well' }

async function toldBeforeAndAfter(page: Page): Promise<void> {
  await expect(page.getByTestId('rollback-button')).toHaveText('2 of 3 can be undone')
  await page.getByTestId('rollback-button').click()
  await expect(page.getByTestId('coverage')).toContainText('2 of 3 effects can be undone.')
  await expect(page.getByTestId('coverage')).toContainText('A mail can’t be called back')

  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATED')
  await expect(page.getByTestId('run-rollback')).toContainText(
    'All 2 steps that could be undone were undone.',
  )
  for (const node of ['reserve', 'charge']) {
    await expect(card(page, node)).toHaveAttribute('data-undo-phase', 'done')
    await expect(card(page, node)).toContainText(/Undone\s*\d\d:\d\d:\d\d/)
  }
  const entries = page.getByTestId('rollback').getByRole('list', { name: 'What is undone, in order' })
  await expect(entries.getByRole('listitem')).toHaveCount(2)
  await expect(entries.getByRole('listitem').first()).toContainText('Charge')
  await expect(page.getByTestId('left-behind')).toContainText('Send the mail')
  await openNode(page, 'charge', 'Run data')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }
  await expect(page.getByTestId('run-undone')).toContainText('How it was undone')
}

async function givenUp(page: Page): Promise<void> {
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATION_FAILED')
  await page.getByTestId('rewind-card').getByTestId('rollback-abandon').click()
  await page.getByTestId('reason-send').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'ABANDONED')
  await expect(page.getByTestId('rewind-card')).toContainText('given up')
  await expect(page.getByTestId('rewind-left')).toContainText('Reserve')
  // Put away, it leaves a line behind.
  await page.getByRole('button', { name: 'Put away' }).click()
  await expect(page.getByTestId('run-rollback')).toContainText('given up')
}

async function undoneByHand(page: Page): Promise<void> {
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(page.getByTestId('rewind-card')).toHaveCount(0)
  await page.getByTestId('rollback-button').click()
  await page.getByTestId('rollback-compensate').click()
  await page.getByTestId('reason-text').fill('The customer changed their mind')
  await page.getByTestId('reason-send').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATED')
  await page.getByTestId('rollback-button').click()
  const end = page.getByTestId('rewind-card')
  await expect(end.getByRole('heading').first()).toHaveText('1 of 3 effects were undone; 2 stay.')
  await expect(page.getByTestId('rewind-left')).toContainText('Nothing says how it is undone.')
  await expect(card(page, 'charge').getByTestId('left-pin')).toBeVisible()
  await expect(card(page, 'mail').getByTestId('node-why')).toHaveText('A mail can’t be called back')
}

test('runs that are taken back: by themselves, waiting for a person, given up on the way, and by hand', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'order.json', failingOrder())
  await putWorkflow(dataDirectory, 'stuck.json', stuck)
  await putWorkflow(dataDirectory, 'well.json', goesWell)
  await openOrder(page, server.url)
  await test.step('what would stay is told before the run, and what was undone after it', () =>
    toldBeforeAndAfter(page))
  // Where the panel has the list of it, the card isn't.
  await page.getByLabel('Close the bottom panel').click()
  await openAnother(page, stuck.title)
  await test.step('a step that can’t be undone waits for a person: try again, skip', () =>
    waitsForPerson(page))
  await page.getByLabel('Close the bottom panel').click()
  await test.step('a rollback is given up for good', () => givenUp(page))
  await openAnother(page, goesWell.title)
  await test.step('a run that went well is undone by hand, and says what stays', () => undoneByHand(page))
})
