/** The rollback is seen as a movement: backwards over the way that was taken, edge by edge and card by card. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, runState } from '../designer-driver.ts'
import { failingOrder, openOrder } from '../order-saga.ts'
import { goesBackInOrder, recordedRewind, recordRewind } from '../rewind-recorder.ts'
import { putWorkflow, test } from './serving.ts'

test('a run that fails is taken back edge by edge, and its end card says what stays', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'order.json', failingOrder())
  await openOrder(page, server.url)
  await expect(card(page, 'mail').getByTestId('undo-shadow')).toHaveText('A mail can’t be called back')
  await recordRewind(page)
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATED')
  const end = page.getByTestId('rewind-card')
  await expect(end.getByRole('heading').first()).toHaveText('2 of 3 effects were undone; 1 stays.')
  const seen = await recordedRewind(page, ['undone', 'active', 'done', 'back', 'still'])
  expect(seen.filter((one) => one.startsWith('canvas'))).toEqual(['canvas going back', 'canvas still'])
  goesBackInOrder(seen)

  await expect(card(page, 'charge')).toContainText(/Undone\s*\d\d:\d\d:\d\d/)
  await expect(card(page, 'mail').getByTestId('left-pin')).toBeVisible()
  await expect(card(page, 'ship').getByTestId('rewind-origin')).toBeVisible()
  await expect(end.getByTestId('rewound-charge')).toContainText(/undone \d\d:\d\d:\d\d/)
  await expect(page.getByTestId('rewind-left')).toContainText('A mail can’t be called back')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }

  await recordedRewind(page, [])
  await end.getByTestId('rewind-again').click()
  await expect(page.getByTestId('canvas')).not.toHaveAttribute('data-rewinding')
  expect(await recordedRewind(page, ['undone'])).toEqual(['three undone', 'two undone', 'one undone'])
})

test('a finished run shows its way back when it is opened; without movement for who wants none', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'order.json', failingOrder())
  await openOrder(page, server.url)
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATED')
  const runId = (await runState(page).getAttribute('data-run-id')) ?? ''
  await page.getByRole('tab', { name: 'Runs' }).click()
  const closeRun = page.getByRole('button', { name: 'Stop showing this run' })
  await closeRun.click()
  await recordRewind(page)
  await page.getByTestId(`run-row-${runId}`).click()
  await expect(page.getByTestId('rewind-card')).toContainText('Send the mail')
  const undone = await recordedRewind(page, ['undone'])
  expect(undone).toEqual(['three undone', 'two undone', 'one undone'])

  await closeRun.click()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await recordedRewind(page, [])
  await page.getByTestId(`run-row-${runId}`).click()
  await expect(page.getByTestId('rewind-card')).toContainText('Send the mail')
  expect(await recordedRewind(page, ['active', 'back'])).toEqual([])
  await expect(card(page, 'reserve')).toHaveAttribute('data-undo-phase', 'done')
  // Where the canvas was moved to show the run, its layer is held for a moment, by an animation that stands still.
  await expect(page.locator('.react-flow')).not.toHaveAttribute('data-motion')
  const moving = await page.evaluate(() =>
    document.getAnimations().flatMap((one) => (one instanceof CSSAnimation ? one.animationName : [])),
  )
  expect(moving).toEqual([])
})
