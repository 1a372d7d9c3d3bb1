/** A task with code gets a newer version while its steps are open: they say so, and follow when somebody has them. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, dragTask, openAnother, openNode, runAndWait, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const step = (title: string, amount: unknown) => ({
  ...{ kind: 'acme.charge', title, taskVersion: '1.0.0', parameters: { amount } },
})

const charges = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'charges', title: 'Charges' },
  nodes: { coffee: step('Charge for the coffee', 3), cake: step('Charge for the cake', '{{ 2 + 2 }}') },
  edges: {},
  layout: { nodes: { coffee: { x: 0, y: 0 }, cake: { x: 0, y: 160 } } },
}

const odd = { ...step('From long ago', 3), taskVersion: '0.1' }
const old = { ...charges, id: 'old', title: 'Charges of old', nodes: { odd }, layout: {} }

const code = (version: string, field: string, more = ''): string => `import { defineTask } from 'sagasmith'

export default defineTask({
  kind: 'acme.charge',
  version: '${version}',
  title: 'Charge a card',
  parameters: {
    type: 'object',
    required: ['${field}'],
    properties: { ${field}: { type: 'number', title: '${field === 'cents' ? 'Cents' : 'Euros'}' } },
  },
  run: ({ parameters }) => parameters,${more}
})
`

const migrate = `
  migrate({ from, parameters: { amount } }) {
    if (from !== '1.0.0') throw new Error('Only parameters of version 1.0.0 are known here.')
    return { cents: typeof amount === 'number' ? amount * 100 : amount.replace(/}}$/, '* 100 }}').replace('{{ ', '{{ 0 + ') }
  },`

/** `file` has version 1.0.0 of the task, and 2.0.0 afterwards. */
async function followNewer(page: Page, file: string): Promise<void> {
  await page.getByRole('button', { name: /charges\.json/ }).click()
  await openNode(page, 'coffee')
  await expect(page.getByTestId('field-parameters.amount')).toContainText('Euros')
  await expect(page.getByTestId('version-step')).toHaveCount(0)
  await runAndWait(page, 'SUCCEEDED')
  await page.getByRole('button', { name: 'Stop showing this run' }).click()

  await writeFile(file, code('2.0.0', 'cents', migrate))
  const note = page.getByTestId('version-step')
  await expect(note).toContainText('Set up for version 1.0.0 of its task; version 2.0.0 is here.')
  await page.getByTestId('run-button').click()
  await expect(page.getByTestId('problems')).toContainText('was set up for version 1.0.0')
  await expect(runState(page)).toHaveCount(0)
  expect(await barriers(page)).toEqual([])

  // The selected step alone is ticked; the other one is shown.
  await note.getByTestId('version-migrate').click()
  const dialog = page.getByTestId('migrate-dialog')
  const coffee = page.getByTestId('migrate-coffee-step')
  await expect(coffee).toContainText('cents')
  await expect(coffee).toContainText('300')
  await expect(page.getByTestId('migrate-cake-step')).toContainText('{{ 0 + 2 + 2 * 100 }}')
  await expect(dialog.getByRole('checkbox', { name: /coffee/ })).toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: /cake/ })).not.toBeChecked()
  await expect(page.getByTestId('migrate-send')).toHaveText('Migrate the step')
  expect(await barriers(page)).toEqual([])
  await dialog.getByRole('checkbox', { name: /cake/ }).check()
  await page.getByTestId('migrate-send').click()
  await expect(note).toHaveCount(0)
  await expect(page.getByTestId('field-parameters.cents')).toContainText('Cents')
  await runAndWait(page, 'SUCCEEDED')
  await page.getByRole('button', { name: 'Stop showing this run' }).click()

  await page.getByTestId('undo-button').click()
  await expect(note).toBeVisible()
  await page.getByTestId('redo-button').click()
  await expect(note).toHaveCount(0)

  // One that comes from the palette is of the version that is here.
  const added = await dragTask(page, 'acme.charge', { x: 600, y: 460 })
  await openNode(page, added)
  await expect(page.getByTestId('field-parameters.cents')).toBeVisible()
  await expect(note).toHaveCount(0)
}

async function stayOlder(page: Page, file: string): Promise<void> {
  await openNode(page, 'odd')
  await page.getByTestId('version-migrate').click()
  const odds = page.getByTestId('migrate-odd-step')
  await expect(odds).toContainText('Only parameters of version 1.0.0 are known here.')
  await expect(page.getByTestId('migrate-send')).toBeDisabled()
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('migrate-dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(card(page, 'odd')).toBeVisible()

  await writeFile(file, code('0.0.9', 'amount', migrate))
  const note = page.getByTestId('version-step')
  await expect(note).toContainText('newer than version 0.0.9 that is here')
  await expect(page.getByTestId('version-migrate')).toHaveCount(0)
  await page.getByTestId('version-keep').click()
  await expect(note).toHaveCount(0)
  await runAndWait(page, 'SUCCEEDED')
}

test('a newer task is told on its steps, which follow as one step or say why they can’t; nothing runs by guess', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'charges.json', charges)
  await putWorkflow(dataDirectory, 'old.json', old)
  const folder = join(dataDirectory, 'tasks')
  const file = join(folder, 'charge.task.ts')
  await mkdir(folder)
  await writeFile(file, code('1.0.0', 'amount'))
  await page.goto(server.url)
  await test.step('a newer task is told on its steps, nothing runs by guess, and they follow as one step', () =>
    followNewer(page, file))
  await openAnother(page, old.title)
  await test.step('a task that can’t migrate says why and loses nothing; one that is older is taken only as it is', () =>
    stayOlder(page, file))
})
