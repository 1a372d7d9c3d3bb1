/** From an empty canvas to a finished run that is found again: what everybody does first. */

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import {
  drawBranching,
  expectBranchingDone,
  expectBranchingWasSeen,
  fillBranching,
  nodesOfBranching,
} from '../branching-workflow.ts'
import {
  card,
  cards,
  documentOf,
  edges,
  openNode,
  pressUntilDone,
  recordStates,
  runAndWait,
  runState,
  typeInto,
} from '../designer-driver.ts'
import { test } from './serving.ts'

test('five nodes are drawn, run, watched, undone, saved, and found again', async ({
  page,
  server,
  dataDirectory,
}) => {
  test.slow()
  await watchPolicy(page)
  await page.goto(server.url)
  await page.getByTestId('new-workflow').click()
  await expect(cards(page)).toHaveCount(0)
  const empty = await documentOf(page)

  await test.step('draw and fill in', async () => {
    await drawBranching(page)
    await fillBranching(page)
  })

  await test.step('run and watch every state', async () => {
    await recordStates(page)
    await runAndWait(page, 'SUCCEEDED')
    await expectBranchingDone(page)
    await expectBranchingWasSeen(page)
    await expectQueuedInHistory(page)
  })

  await test.step('look into a step', () => lookIntoSteps(page))

  const built = await documentOf(page)
  await test.step('edit, undo everything, redo everything', async () => {
    await openNode(page, 'log')
    await typeInto(page, 'parameters.message', 'Something else')
    const edited = await documentOf(page)
    expect(edited).not.toBe(built)
    const undone = await pressUntilDone(page, 'undo-button')
    await expect(cards(page)).toHaveCount(0)
    expect(await documentOf(page)).toBe(empty)
    expect(await pressUntilDone(page, 'redo-button')).toBe(undone)
    expect(await documentOf(page)).toBe(edited)
    await page.getByTestId('undo-button').click()
    expect(await documentOf(page)).toBe(built)
  })

  const runId = (await runState(page).getAttribute('data-run-id')) ?? ''
  await test.step('save, reload, reopen', async () => {
    await page.getByTestId('save-button').click()
    await page.getByTestId('save-name').fill('five-nodes.json')
    await page.getByTestId('save-dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByTestId('dirty-state')).toHaveText('Saved')
    // What is saved needs no draft any more, and it is the file that is opened again.
    await expect.poll(() => readdir(join(dataDirectory, 'drafts'))).toEqual([])
    await page.reload()
    await expect(cards(page)).toHaveCount(nodesOfBranching.length)
    await page.getByTestId('home-button').click()
    await page
      .getByRole('region', { name: 'Recent workflows' })
      .getByRole('button', { name: /five-nodes\.json/ })
      .click()
    await expect(edges(page)).toHaveCount(5)
    await expect(page.getByTestId('dirty-state')).toHaveText('Saved')
    expect(await documentOf(page)).toBe(built)
    await page.getByRole('tab', { name: 'Runs' }).click()
    await page.getByTestId(`run-row-${runId}`).click()
    await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
    await expectBranchingDone(page)
    await lookIntoSteps(page)
  })
  expect(await refusedIn(page)).toBeNull()
})

/** Keeps what the page's content policy had to refuse, across reloads. */
async function watchPolicy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sourceFile }) => {
      const before = sessionStorage.getItem('refused') ?? ''
      sessionStorage.setItem(
        'refused',
        `${before}${effectiveDirective} in ${sourceFile}
`,
      )
    })
  })
}

const refusedIn = (page: Page): Promise<string | null> =>
  page.evaluate(() => sessionStorage.getItem('refused'))

/** Input, output, log and attempts, as they stay after the run. */
async function lookIntoSteps(page: Page): Promise<void> {
  await openNode(page, 'debug', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('total')
  await expect(page.getByTestId('run-output')).toContainText('42')
  await expect(page.getByTestId('attempt-1')).toHaveAttribute('data-outcome', 'failed')
  await expect(page.getByTestId('attempt-2')).toHaveAttribute('data-outcome', 'succeeded')
  await page.getByTestId('attempt-1').click()
  await expect(page.getByTestId('run-error-card')).toContainText('Failed on purpose: attempt 1')
  await openNode(page, 'log', 'Run data')
  await expect(page.getByTestId('run-input')).toContainText('42')
  await expect(page.getByTestId('attempt-log')).toContainText('The total is 42.')
}

/** Queued lasts a blink; going back in time event by event shows it for as long as one likes. */
async function expectQueuedInHistory(page: Page): Promise<void> {
  await page.getByTestId('timeline-button').click()
  const playhead = page.getByTestId('playhead')
  await expect(playhead).not.toHaveAttribute('max', '0')
  await playhead.focus()
  await page.keyboard.press('Home')
  await expect(page.getByTestId('playhead-event')).toHaveText('Before the run')
  await expect(card(page, 'debug')).not.toHaveAttribute('data-status')
  const event = page.getByTestId('playhead-event')
  for (let position = 1; !(await event.innerText()).includes('debug: Queued'); position += 1) {
    await page.keyboard.press('ArrowRight')
    await expect(event.locator('..')).toContainText(`${position} / `)
  }
  await expect(card(page, 'debug')).toHaveAttribute('data-status', 'REGISTERED')
  await expect(card(page, 'debug')).toContainText('Queued')
  await page.getByTestId('timeline-button').click()
  await expect(card(page, 'log')).toHaveAttribute('data-status', 'SUCCESS')
}
