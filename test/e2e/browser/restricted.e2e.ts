/** A workflow from elsewhere: nothing of it runs before a person looked at what it may touch. */

import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, runAndWait, runState, typeInto } from '../designer-driver.ts'
import { putForeignWorkflow, test } from './serving.ts'

const greet = (...rest: readonly string[]) => ({
  kind: 'shell-command',
  title: 'Greet',
  parameters: { program: 'echo', arguments: rest },
})
const list = { kind: 'list-files', title: 'Look around', parameters: { folder: '.' } }
const triggers = {
  often: { kind: 'cron', parameters: { expression: '*/5 * * * *', input: { who: 'everybody' } } },
}
const workflow = (nodes: object) => ({
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'foreign', title: 'Foreign', nodes, edges: {} },
  layout: { nodes: { greet: { x: 0, y: 0 }, list: { x: 320, y: 0 } } },
})

const banner = (page: Page) => page.getByTestId('restricted-banner')
const dialog = (page: Page) => page.getByTestId('trust-dialog')

test('a file from elsewhere runs once it is trusted, and what others add to it is asked again', async ({
  page,
  server,
  dataDirectory,
}) => {
  const path = await putForeignWorkflow(
    dataDirectory,
    'foreign.json',
    workflow({ greet: greet('hello', 'two words'), list }),
  )
  await page.goto(server.url)
  await page.getByText('Foreign').first().click()
  await expect(banner(page)).toContainText('It can run commands and touch files.')
  await expect(page.getByTestId('tab-restricted')).toBeVisible()
  expect(await barriers(page)).toEqual([])

  await page.getByTestId('run-button').click()
  await expect(page.getByTestId('trust-reach')).toContainText('echo hello "two words"')
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('trust-keep').click()
  await expect(runState(page)).toHaveCount(0)
  await page.reload()
  await expect(banner(page)).toBeVisible()
  await banner(page).getByTestId('restricted-review').click()
  await page.getByTestId('trust-confirm').click()
  await expect(banner(page)).toHaveCount(0)
  await expect(page.getByTestId('tab-restricted')).toHaveCount(0)
  await runAndWait(page, 'SUCCEEDED')
  await page.reload()
  await expect(card(page, 'greet')).toBeVisible()
  await expect(page.getByTestId('run-button')).toBeEnabled()
  await expect(banner(page)).toHaveCount(0)

  // By hand it may be widened; by another program it may not.
  await openNode(page, 'list')
  await typeInto(page, 'parameters.folder', '..')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByTestId('dirty-state')).toHaveText('Saved')
  await expect(banner(page)).toHaveCount(0)
  await writeFile(path, JSON.stringify(workflow({ greet: greet('farewell'), list })))
  await expect(banner(page)).toContainText('further than you trusted it with: it can run commands.')
  await page.getByTestId('run-button').click()
  const added = dialog(page).locator('li[data-new]')
  await expect(added).toHaveCount(1)
  await expect(added).toContainText('echo farewell')
  await page.getByTestId('trust-confirm').click()
  await runAndWait(page, 'SUCCEEDED')

  // Nor may it start by itself because another program says so.
  await writeFile(path, JSON.stringify({ ...workflow({ greet: greet('farewell'), list }), triggers }))
  await expect(banner(page)).toContainText('further than you trusted it with: it can start by itself.')
  await page.getByTestId('run-button').click()
  await expect(added).toHaveCount(1)
  await expect(added).toContainText('*/5 * * * * (UTC); input {"who":"everybody"}')
  await expect(added).toContainText('On a schedule')
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('trust-confirm').click()
  await expect(banner(page)).toHaveCount(0)

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.insertText('What it may touch')
  await page.keyboard.press('Enter')
  await page.getByTestId('trust-revoke').click()
  await expect(page.getByTestId('trust-confirm')).toBeVisible()
  await page.getByTestId('trust-keep').click()
  await expect(banner(page)).toBeVisible()
})
