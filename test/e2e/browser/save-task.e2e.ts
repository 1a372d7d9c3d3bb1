/** A configured step becomes a task: saved, in the palette, used, replaced. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, runAndWait } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const greeting = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'greeting', title: 'Greeting' },
  nodes: {
    order: { kind: 'transform', title: 'The order', parameters: { expression: '{ "name": "Ada" }' } },
    hello: {
      kind: 'log',
      title: 'Greet somebody',
      parameters: { message: 'Hello {{ nodes.order.output.name }}', level: 'warn' },
    },
  },
  edges: { e: { from: { node: 'order', port: 'out' }, to: { node: 'hello', port: 'in' } } },
  layout: { nodes: { order: { x: 0, y: 0 }, hello: { x: 300, y: 0 } } },
}

test('a step is saved as a task, used at once, taken back, and replaced only when asked', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'greeting.json', greeting)
  await page.goto(server.url)
  await page.getByRole('button', { name: /greeting\.json/ }).click()
  await card(page, 'hello').click()
  await page.keyboard.press('Shift+S')
  const dialog = page.getByTestId('save-task-dialog')
  await expect(dialog.getByTestId('task-title')).toHaveValue('Greet somebody')
  await expect(dialog.getByTestId('task-kind')).toHaveValue('my.greet-somebody')
  await expect(dialog.getByTestId('task-open-message')).toBeChecked()
  await expect(dialog.getByTestId('task-preview')).toContainText('Greet somebody')
  expect(await barriers(page)).toEqual([])

  await dialog.getByTestId('task-kind').fill('greet')
  await expect(dialog).toContainText('with a dot in between')
  await expect(dialog.getByTestId('task-save')).toBeDisabled()
  await dialog.getByTestId('task-kind').fill('acme.greet')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()

  const file = JSON.parse(await readFile(join(dataDirectory, 'tasks', 'acme.greet.task.json'), 'utf8'))
  expect(file).toMatchObject({ kind: 'acme.greet', based: { kind: 'log' }, open: ['message'] })
  expect(file.based.parameters).toEqual({ level: 'warn' })
  await expect(page.getByTestId('palette-item-acme.greet')).toContainText('Greet somebody')
  await expect(page.getByTestId('field-parameters.message')).toContainText('nodes.order.output.name')
  await expect(page.getByTestId('field-parameters.level')).toHaveCount(0)
  await runAndWait(page, 'SUCCEEDED')

  await card(page, 'hello').click()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByTestId('field-parameters.level')).toBeVisible()
  await page.keyboard.press('Shift+S')
  await dialog.getByTestId('task-kind').fill('acme.greet')
  await dialog.getByTestId('task-title').fill('Greet warmly')
  await page.keyboard.press('Enter')
  await expect(dialog.getByTestId('task-taken')).toContainText('acme.greet')
  await dialog.getByTestId('task-replace').click()
  await expect(dialog).toBeHidden()
  await expect(page.getByTestId('palette-item-acme.greet')).toContainText('Greet warmly')
})
