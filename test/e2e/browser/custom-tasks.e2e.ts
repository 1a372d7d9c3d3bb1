/** A task file comes, changes and goes while the designer is open. */

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, runAndWait } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const greeting = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'greeting', title: 'Greeting' },
  nodes: { hello: { kind: 'acme.greet', parameters: { message: 'Good day' } } },
  edges: {},
  layout: { nodes: { hello: { x: 0, y: 0 } } },
}

const task = (title: string, open: readonly string[]) => ({
  ...{ format: 'sagasmith.task', schemaVersion: 1, kind: 'acme.greet', title, open },
  based: { kind: 'log', parameters: { message: 'Hello', level: 'info' } },
})

test('a task file gives a kind at once, and its nodes keep their data when it goes', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'greeting.json', greeting)
  const folder = join(dataDirectory, 'tasks')
  const file = join(folder, 'greet.task.json')
  await mkdir(folder)
  await page.goto(server.url)
  await page.getByRole('button', { name: /greeting\.json/ }).click()
  await expect(card(page, 'hello')).toContainText('Unknown kind “acme.greet”')

  await writeFile(file, JSON.stringify(task('Greet somebody', ['message'])))
  await expect(card(page, 'hello')).toContainText('Greet somebody')
  await expect(page.getByTestId('palette-item-acme.greet')).toContainText('Greet somebody')
  await openNode(page, 'hello')
  await expect(page.getByTestId('field-parameters.message')).toContainText('Good day')
  await expect(page.getByTestId('field-parameters.level')).toHaveCount(0)
  await runAndWait(page, 'SUCCEEDED')

  await writeFile(file, '{ "format": ')
  await expect(page.getByTestId('toasts')).toContainText('greet.task.json, line 1')
  await expect(card(page, 'hello')).toContainText('Greet somebody')
  // What was said in passing stays where people look: beside the tasks, and among the problems.
  await page.getByTestId('broken-task-files').click()
  const problem = page.getByTestId('problem-around')
  await expect(problem).toContainText('greet.task.json')
  await expect(problem).toContainText('Line 1')
  await expect(page.getByTestId('problems-button')).toHaveText('1 warning')
  expect(await barriers(page)).toEqual([])

  await rm(file)
  await expect(problem).toHaveCount(0)
  await expect(page.getByTestId('broken-task-files')).toHaveCount(0)
  await expect(card(page, 'hello')).toContainText('Unknown kind “acme.greet”')
  await expect(page.getByTestId('inspector')).toContainText('Good day')
  await expect(page.getByTestId('inspector')).toContainText('Put its file into the folder of custom tasks')
})
