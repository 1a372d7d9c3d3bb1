/** A task with code comes into the folder, is used, tried, edited, and broken. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, runAndWait } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const greeting = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'greeting', title: 'Greeting' },
  nodes: { hello: { kind: 'acme.greet', parameters: { name: 'Ada' } } },
  edges: {},
  layout: { nodes: { hello: { x: 0, y: 0 } } },
}

const code = (word: string, more = ''): string => `import { defineTask } from 'sagasmith'

type Told = { readonly name: string }

export default defineTask<Told, string>({
  kind: 'acme.greet',
  version: '1.0.0',
  title: 'Greet somebody',
  parameters: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', title: 'Whom' } },
  },
  output: { type: 'string' },
  run: ({ parameters }) => '${word} ' + parameters.name,
  compensate: ({ output }) => 'unsaid ' + output,
  mock: 'Hello you',${more}
})
`

test('a task with code is followed: palette, form, run, trial, and what is wrong with it', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'greeting.json', greeting)
  const folder = join(dataDirectory, 'tasks')
  const file = join(folder, 'greet.task.ts')
  await mkdir(folder)
  await page.goto(server.url)
  await page.getByRole('button', { name: /greeting\.json/ }).click()
  await expect(card(page, 'hello')).toContainText('Unknown kind “acme.greet”')

  await writeFile(file, code('Good day'))
  await expect(card(page, 'hello')).toContainText('Greet somebody')
  await expect(page.getByTestId('palette-item-acme.greet')).toContainText('Greet somebody')
  await expect(page.getByTestId('palette-item-acme.greet.undo')).toHaveCount(0)
  await expect(page.getByTestId('palette-item-code-task')).toHaveCount(0)
  await openNode(page, 'hello')
  await expect(page.getByTestId('field-parameters.name')).toContainText('Whom')
  await page.getByTestId('task-test').click()
  await expect(page.getByTestId('task-checks')).toContainText('unsaid Hello you')
  expect(await barriers(page)).toEqual([])
  await runAndWait(page, 'SUCCEEDED')
  await openNode(page, 'hello', 'Run data')
  await expect(page.getByText('Good day Ada').first()).toBeVisible()

  await writeFile(file, code('Good evening', '\n  keywords: ['))
  await expect(page.getByTestId('toasts')).toContainText('greet.task.ts, line 19')
  await expect(card(page, 'hello')).toContainText('Greet somebody')

  await writeFile(file, code('Good evening').replace('Greet somebody', 'Greet warmly'))
  await expect(page.getByTestId('palette-item-acme.greet')).toContainText('Greet warmly')
  await runAndWait(page, 'SUCCEEDED')
  await openNode(page, 'hello', 'Run data')
  await expect(page.getByText('Good evening Ada').first()).toBeVisible()
})
