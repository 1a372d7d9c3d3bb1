/** Secrets in the designer: kept, named by a step, used, replaced and removed, and never shown. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openAnother } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const value = 'canary-4711-value'
const script = 'console.log(process.env.API_TOKEN.length, process.env.API_TOKEN)'
const show = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_secret',
  title: 'Shows its token',
  nodes: {
    show: {
      kind: 'shell-command',
      parameters: { program: process.execPath, arguments: ['-e', script], env: { API_TOKEN: value } },
    },
  },
  edges: {},
  layout: { nodes: { show: { x: 0, y: 0 } } },
}

/** The same, with a secret that isn't there. */
const { parameters } = show.nodes.show
const misses = {
  ...{ ...show, id: 'wf_missing', title: 'Misses its token' },
  nodes: {
    show: {
      kind: 'shell-command',
      parameters: { ...parameters, env: { API_TOKEN: '{{ secrets.DEPOT_TOKEN }}' } },
    },
  },
}

async function movesIntoTheVault(page: Page, path: string, vault: string): Promise<void> {
  await card(page, 'show').click()
  const env = page.getByTestId('field-parameters.env')
  await env.scrollIntoViewIfNeeded()
  await expect(page.getByText('holds a secret in plain text').first()).toBeVisible()

  // The key beside the field keeps what stands there, and the field names it from then on.
  await env.getByTestId('secret-picker').click()
  await page.getByTestId('secret-new').click()
  await expect(page.getByTestId('secret-value')).toHaveValue(value)
  await page.getByTestId('secret-name').fill('SHOP_TOKEN')
  await page.getByTestId('secret-note').fill('for the shop')
  await expect(page.getByTestId('secret-kinds')).toHaveValue('shell-command')
  await page.getByTestId('secret-save').click()
  await expect(env.getByLabel('Value 1')).toHaveValue('{{ secrets.SHOP_TOKEN }}')
  await expect(page.getByText('holds a secret in plain text')).toHaveCount(0)

  await page.getByTestId('run-button').click()
  await expect(card(page, 'show')).toHaveAttribute('data-status', 'SUCCESS')
  await page.keyboard.press('ControlOrMeta+s')
  await expect.poll(() => readFile(path, 'utf8')).toContain('{{ secrets.SHOP_TOKEN }}')

  await page.keyboard.press('ControlOrMeta+Alt+k')
  const row = page.getByTestId('secret-SHOP_TOKEN')
  await expect(row).toContainText('for the shop')
  await expect(row).toContainText('shell-command')
  await expect(row).toContainText('Shows its token')
  await expect(page.locator('body')).not.toContainText(value)
  expect(await readFile(path, 'utf8')).not.toContain(value)
  expect(await readFile(vault, 'utf8')).not.toContain(value)
}

async function addedWhereItIsMissed(page: Page): Promise<void> {
  const problem = page.getByText('needs the secret “DEPOT_TOKEN”, which is not in the vault').first()
  await card(page, 'show').click()
  await expect(problem).toBeVisible()
  await page.getByTestId('run-button').click()
  await expect(card(page, 'show')).toHaveAttribute('data-status', 'FAILED')

  // The page knows it too, and the form mends it in place.
  await page.keyboard.press('ControlOrMeta+Alt+k')
  const row = page.getByTestId('secret-DEPOT_TOKEN')
  await expect(row).toContainText('Not in the vault')
  await row.getByTestId('secret-use-show').click()
  const env = page.getByTestId('field-parameters.env')
  await env.getByTestId('secret-fix-DEPOT_TOKEN').click()
  await expect(page.getByTestId('secret-name')).toHaveValue('DEPOT_TOKEN')
  await page.getByTestId('secret-value').fill('abc')
  await page.getByTestId('secret-save').click()
  await expect(page.getByTestId('secret-dialog').getByRole('alert')).toContainText(
    'shorter than 4 characters',
  )
  await page.getByTestId('secret-value').fill(value)
  await page.getByTestId('secret-save').click()
  await expect(problem).toHaveCount(0)
  await page.getByTestId('run-button').click()
  await expect(card(page, 'show')).toHaveAttribute('data-status', 'SUCCESS')

  // One that is added can't take the place of another.
  await page.keyboard.press('ControlOrMeta+Alt+k')
  await page.getByTestId('secret-add').click()
  await page.getByTestId('secret-name').fill('DEPOT_TOKEN')
  await page.getByTestId('secret-value').fill('another-value')
  await expect(page.getByTestId('secret-taken')).toContainText('Another secret has this name')
  await expect(page.getByTestId('secret-save')).toBeDisabled()
  await page.keyboard.press('Escape')

  // A new name goes through what is open, as one step.
  await expect(row).toContainText('any host')
  await page.getByTestId('secret-edit-DEPOT_TOKEN').click()
  await expect(page.getByTestId('secret-value')).toHaveValue('')
  await page.getByTestId('secret-name').fill('STORE_TOKEN')
  // With what is told last the dialog has its size: a button that moves under the hand isn't pressed.
  await expect(page.getByTestId('secret-rename-effects')).toContainText('publish them anew')
  await expect(page.getByTestId('secret-rename-effects')).toContainText('Misses its token')
  await page.getByTestId('secret-save').click()
  await expect(page.getByTestId('secret-dialog')).toHaveCount(0)
  await expect(row).toHaveCount(0)
  const renamed = page.getByTestId('secret-STORE_TOKEN')
  await renamed.getByTestId('secret-use-show').click()
  await expect(env.getByLabel('Value 1')).toHaveValue('{{ secrets.STORE_TOKEN }}')
  await expect(page.locator('body')).not.toContainText(value)

  await page.keyboard.press('ControlOrMeta+Alt+k')
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('secret-edit-STORE_TOKEN').click()
  await page.getByTestId('secret-hosts').fill('api.example.com')
  await page.getByTestId('secret-save').click()
  await expect(renamed).toContainText('api.example.com')
  await page.getByTestId('secret-remove-STORE_TOKEN').click()
  await expect(page.getByTestId('secret-remove-dialog')).toContainText('Misses its token')
  await page.getByTestId('secret-remove-button').click()
  await expect(renamed).toContainText('Not in the vault')
}

test('secrets are kept, named by a step, used, renamed and removed, and never shown', async ({
  page,
  server,
  dataDirectory,
}) => {
  const path = await putWorkflow(dataDirectory, 'show.json', show)
  await putWorkflow(dataDirectory, 'misses.json', misses)
  await page.goto(server.url)
  await page.getByText(show.title).first().click()
  await test.step('a password moves from a field into the vault, is used by the step, and is seen by nobody', () =>
    movesIntoTheVault(page, path, join(dataDirectory, 'vault.json')))
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await openAnother(page, misses.title)
  await test.step('a missing secret is added where it is missed, used, renamed with its references, bound and removed', () =>
    addedWhereItIsMissed(page))
})
