/** The last runs drawn on the canvas: how often each way was gone, and the way to the last failure. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { pane, runState } from '../designer-driver.ts'
import { putWorkflow, runCli, test } from './serving.ts'

const link = (from: string, port: string, to: string) => ({
  from: { node: from, port },
  to: { node: to, port: 'in' },
})

const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_ghosts',
  title: 'Haunted',
  nodes: {
    check: { kind: 'if', title: 'Large?', parameters: { condition: 'input.n > 1' } },
    large: {
      kind: 'transform',
      title: 'Large',
      parameters: { expression: 'input.n > 2 ? $error("no") : 1' },
    },
    small: { kind: 'noop', title: 'Small' },
    never: { kind: 'noop', title: 'Never' },
  },
  edges: {
    a: link('check', 'true', 'large'),
    b: link('check', 'false', 'small'),
    c: link('small', 'error', 'never'),
  },
  layout: {
    nodes: {
      check: { x: 0, y: 80 },
      large: { x: 340, y: 0 },
      small: { x: 340, y: 200 },
      never: { x: 680, y: 60 },
    },
  },
}

test('what the last runs did is drawn: how often, how long, and where they failed', async ({
  page,
  server,
  dataDirectory,
}) => {
  const path = await putWorkflow(dataDirectory, 'ghosts.json', workflow)
  await page.goto(server.url)
  await page.getByText('Haunted').first().click()
  await pane(page).click({ position: { x: 30, y: 30 } })
  await page.keyboard.press('h')
  await expect(page.getByTestId('ghost-bar')).toContainText('No run of this workflow has ended yet')
  for (const n of [1, 2, 1, 3]) await runCli(['run', path, '--input', `{"n":${n}}`, '--data', dataDirectory])

  await expect(page.getByTestId('ghost-bar')).toContainText('The last 4 runs')
  await expect(page.getByTestId('ghost-bar')).toContainText('3 succeeded')
  await expect(page.getByTestId('ghost-check')).toContainText('4/4')
  await expect(page.getByTestId('ghost-small')).toContainText('2/4')
  await expect(page.getByTestId('ghost-never')).toContainText('not once')
  await expect(page.getByTestId('ghost-way-check-true')).toHaveCount(1)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }
  await page.getByTestId('ghost-large').getByRole('button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
  // By keys: the bar goes, and the focus is where it was.
  await page.getByRole('button', { name: 'Hide the last runs' }).press('Enter')
  await expect(page.getByTestId('canvas')).toBeFocused()
  await expect(page.getByTestId('ghost-check')).toHaveCount(0)
})
