/** Breakpoints, steps, a run up to a step, one step alone, and a fork: looking for a mistake in the designer. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, runState, typeInto } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const link = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})
const transform = (expression: string) => ({ kind: 'transform', parameters: { expression } })

const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_debug',
  title: 'Look closer',
  nodes: { a: transform('40'), b: transform('input + 2'), c: transform('input * 10') },
  edges: { first: link('a', 'b'), second: link('b', 'c') },
  layout: { nodes: { a: { x: 0, y: 0 }, b: { x: 320, y: 0 }, c: { x: 640, y: 0 } } },
}

test('a run stops before a step, goes on by one, is forked, and a step is tried alone', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'debug.json', workflow)
  await page.goto(server.url)
  await page.getByText('Look closer').first().click()

  await card(page, 'a').click()
  await page.keyboard.press('p')
  await expect(page.getByTestId('breakpoint-a')).toHaveAttribute('title', 'Stops before this step')
  await card(page, 'b').click()
  await page.keyboard.press('Shift+P')
  const dialog = page.getByTestId('breakpoint-dialog')
  // What is written first is the condition.
  await expect(dialog.locator('.cm-content')).toBeFocused()
  await page.keyboard.insertText('input > 1000')
  await typeInto(page, 'breakpoint.nth', '2')
  expect(await barriers(page)).toEqual([])
  await dialog.getByTestId('breakpoint-set').click()
  await expect(page.getByTestId('breakpoint-b')).toHaveAttribute('title', /the 2nd time that input > 1000/)

  // The number stands on the mark, and only where there is one.
  await expect(page.getByTestId('breakpoint-b')).toHaveText('2')
  await expect(page.getByTestId('breakpoint-a')).toHaveText('')

  await page.keyboard.press('ControlOrMeta+Alt+b')
  const list = page.getByTestId('breakpoints-dialog')
  await expect(list.getByRole('listitem')).toHaveText([/each time/, /the 2nd time that input > 1000/])
  expect(await barriers(page)).toEqual([])
  await list.getByRole('button', { name: 'Done' }).click()

  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'PAUSED')
  await expect(card(page, 'a')).toContainText('Stopped here')
  await expect(page.getByTestId('run-wait')).toContainText('Stopped before “a”')
  await page.getByTestId('run-step').click()
  await expect(card(page, 'a')).toHaveAttribute('data-status', 'SUCCESS')
  await expect(card(page, 'b')).toContainText('Stopped here')
  await page.getByTestId('resume-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  const first = await runState(page).getAttribute('data-run-id')

  // Kept over a reload, and cleared by the same key.
  await card(page, 'a').click()
  await page.keyboard.press('p')
  await expect(page.getByTestId('breakpoint-a')).toHaveCount(0)

  await card(page, 'b').click()
  await page.keyboard.press('ControlOrMeta+Alt+f')
  const fork = page.getByTestId('fork-dialog')
  await expect(fork.getByTestId('fork-anew')).toBeChecked()
  await fork.getByTestId('fork-send').click()
  await expect(fork).toHaveCount(0)
  await expect(runState(page)).not.toHaveAttribute('data-run-id', first ?? '')
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')

  await card(page, 'b').click()
  await page.keyboard.press('Alt+F10')
  await page.getByTestId('input-send').click()
  await expect(card(page, 'b')).toHaveAttribute('data-status', 'SUCCESS')
  await expect(card(page, 'c')).not.toHaveAttribute('data-status', /.+/)
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')

  await card(page, 'a').click()
  await page.keyboard.press('ControlOrMeta+F10')
  await expect(card(page, 'a')).toHaveAttribute('data-status', 'SUCCESS')
  await expect(card(page, 'b')).not.toHaveAttribute('data-status', /.+/)
})
