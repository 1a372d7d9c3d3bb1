/**
 * One long way: a saga is drawn by hand, rehearsed, broken, watched going back, answered where it got stuck, and
 * its dead letter is dealt with.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import {
  card,
  connect,
  dragTask,
  dragWire,
  expectNoProblems,
  middleOf,
  nodeIds,
  openNode,
  runState,
  typeInto,
} from '../designer-driver.ts'
import { recordedRewind, recordRewind } from '../rewind-recorder.ts'
import { test } from './serving.ts'

const undoPort = (page: Page, node: string) => card(page, node).getByTestId('undo-port')

test('a saga is drawn, broken, watched going back, and answered', async ({ page, server, dataDirectory }) => {
  test.slow()
  await page.goto(server.url)
  await page.getByTestId('new-workflow').click()

  // Forward: two steps with effects, and one that can't go well.
  const [reserve, charge, ship] = [
    await dragTask(page, 'write-file', { x: 140, y: 120 }),
    await dragTask(page, 'write-file', { x: 140, y: 330 }),
    await dragTask(page, 'debug', { x: 460, y: 140 }),
  ]
  await connect(page, { node: reserve }, charge)
  await connect(page, { node: charge }, ship)
  for (const [node, file] of [
    [reserve, 'stock.txt'],
    [charge, 'bill.txt'],
  ] as const) {
    await openNode(page, node)
    await typeInto(page, 'parameters.path', join(dataDirectory, file))
    await typeInto(page, 'parameters.content', 'one')
  }
  await openNode(page, ship)
  await typeInto(page, 'parameters.failTimes', '9')
  await expect(page.getByTestId('rollback-button')).toHaveText('0 of 2 can be undone')

  // Backward: the first by a step that the wire adds, the second by one that stands aside already.
  const from = await middleOf(card(page, charge))
  const aside = await dragTask(page, 'debug', { x: 460, y: 520 })
  await openNode(page, aside)
  await typeInto(page, 'parameters.failTimes', '9')
  await typeInto(page, 'parameters.failMessage', 'The bank is closed')
  const target = await middleOf(page.locator(`.react-flow__handle.target[data-nodeid="${aside}"]`))
  await dragWire(page, { node: charge, port: '$undo' }, target)
  await expect(page.getByTestId(`edge-undo:${charge}`)).toBeVisible()
  await dragWire(page, { node: reserve, port: '$undo' }, { x: from.x, y: from.y + 190 })
  await page.getByRole('combobox', { name: 'Search task kinds' }).fill('write file')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId(`edge-undo:${reserve}`)).toBeVisible()
  const release = (await nodeIds(page)).find((id) => ![reserve, charge, ship, aside].includes(id)) ?? ''
  await openNode(page, release)
  await typeInto(page, 'parameters.path', join(dataDirectory, 'stock.txt'))
  await typeInto(page, 'parameters.content', 'none')
  await expectNoProblems(page)
  await expect(page.getByTestId('rollback-button')).toHaveText('2 of 2 can be undone')
  await expect(undoPort(page, charge)).toHaveAttribute('data-undo', 'node')
  await expect(card(page, reserve).getByTestId('undo-shadow')).toBeVisible()

  // Broken: the movement stops at the step that can't be undone.
  await recordRewind(page)
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATION_FAILED')
  const end = page.getByTestId('rewind-card')
  await expect(end).toContainText('The bank is closed')
  await expect(card(page, charge)).toHaveAttribute('data-undo-phase', 'failed')
  expect(await recordedRewind(page, ['undone'])).toEqual([])
  await end.getByTestId(`undo-skip-${charge}`).click()
  await page.getByTestId('reason-text').fill('Refunded by phone')
  await page.getByTestId('reason-send').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATED')
  await expect(card(page, reserve)).toHaveAttribute('data-undo-phase', 'done')
  expect(await readFile(join(dataDirectory, 'stock.txt'), 'utf8')).toBe('none')
  await expect(card(page, charge).getByTestId('left-pin')).toBeVisible()
  await expect(page.getByTestId('rewind-left')).toContainText('It was passed over.')
  expect(await recordedRewind(page, ['undone'])).toHaveLength(2)

  // Its dead letter starts it once more, and this time the rollback is given up.
  await page.getByTestId('letters-button').click()
  const letter = page.getByTestId('letter-row').filter({ hasText: 'Untitled' }).first()
  await letter.click()
  await page.getByTestId('letter-edit').click()
  await expect(page.getByTestId('json-state')).toHaveText('Valid JSON')
  await page.getByTestId('input-send').click()
  await page.getByTestId('toasts').getByRole('button', { name: 'Open the run' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATION_FAILED')
  await end.getByTestId('rollback-abandon').click()
  await page.getByTestId('reason-send').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'ABANDONED')
  await expect(end).toContainText('given up')

  // All of it is in the list of decisions.
  await page.getByTestId('engine-button').click()
  await page.getByRole('tab', { name: 'Audit' }).click()
  const acts = page.getByTestId('audit-row')
  await expect(acts.filter({ hasText: 'Refunded by phone' })).toHaveAttribute('data-act', 'skipped')
  await expect(acts.filter({ hasText: 'Gave up' })).toHaveCount(1)
  await expect(acts.filter({ hasText: 'Replayed' })).toHaveCount(1)
})
