/** An event for a cluster: chosen among this machine's connections; one that may change nothing says so, and refuses. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, expectNoProblems, openNode, runAndWait, runState, unfold } from '../designer-driver.ts'
import { putWorkflow, runCli, test } from './serving.ts'

const telling = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_telling',
  title: 'Tell the plant',
  nodes: { tell: { kind: 'emit-event', title: 'Tell', parameters: { name: 'paid' } } },
  edges: {},
  layout: { nodes: { tell: { x: 0, y: 0 } } },
}

test('a cluster is picked by its name, and what keeps an event from it is told', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'telling.json', telling)
  // Nobody listens there; nothing has to, for it may not be told anything.
  await runCli(['clusters', 'add', 'plant', 'redis://127.0.0.1:1', '--data', dataDirectory])
  await page.goto(server.url)
  await page.getByText(telling.title).first().click()
  await openNode(page, 'tell')
  await unfold(page, 'Delivery')
  const choice = page.getByTestId('cluster-choice')
  await expect(choice).toHaveValue('')
  await expect(choice.getByRole('option')).toHaveText([
    'Here, where the run is',
    'plant (read-only)',
    'Another, by its name or an expression …',
  ])
  await choice.selectOption('plant')
  await expect(page.getByTestId('field-parameters.cluster')).toContainText('may change nothing')
  await expect(card(page, 'tell')).toContainText('paid to plant')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }
  await choice.selectOption({ index: 2 })
  await page.getByLabel('Name of a connection, or an expression').fill('{{ input.where }}')
  await expectNoProblems(page)
  await choice.selectOption('')
  await runAndWait(page, 'SUCCEEDED')
  await choice.selectOption({ index: 2 })
  await page.getByLabel('Name of a connection, or an expression').fill('elsewhere')
  await runAndWait(page, 'FAILED')
  await openNode(page, 'tell', 'Run data')
  await expect(page.getByTestId('inspector')).toContainText('There is no cluster “elsewhere”.')
  await expect(page.getByTestId('inspector')).toContainText('Known are plant.')
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
})
