/** Who stands in line for a throttle gives up after a while: set in a form, seen on the gate, gone on by a way of its own. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, connect, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const hourly = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_hourly', title: 'Ask once an hour' },
  nodes: {
    slow: { kind: 'throttle', parameters: { count: 1, amount: 1, unit: 'hours', onFull: 'wait' } },
    ask: { kind: 'transform', parameters: { expression: '"asked"' } },
    cached: { kind: 'transform', parameters: { expression: '"as of before: " & input.error.code' } },
  },
  edges: { ask: { from: { node: 'slow', port: 'out' }, to: { node: 'ask', port: 'in' } } },
  layout: { nodes: { slow: { x: 0, y: 40 }, ask: { x: 360, y: 0 }, cached: { x: 360, y: 160 } } },
}

test('a step in line gives up after its time and goes on another way', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'hourly.json', hourly)
  await page.goto(server.url)
  await page.getByText('Ask once an hour').first().click()
  await openNode(page, 'slow')
  const field = (name: string) => page.getByTestId(`field-parameters.${name}`)
  await expect(field('waitTimeout')).toHaveCount(0)
  await field('onTimeout').getByRole('combobox').selectOption({ label: 'Leave by the timeout way' })
  await field('waitTimeout').getByRole('combobox').selectOption({ label: 'seconds' })
  await field('waitTimeout').getByRole('spinbutton').fill('4')
  await connect(page, { node: 'slow', port: 'timeout' }, 'cached')

  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'ask')).toHaveAttribute('data-status', 'SUCCESS')
  await page.getByTestId('run-button').click()
  await expect(card(page, 'slow')).toHaveAttribute('data-status', 'CONCURRENCY_CONTROLLED')
  await expect(page.getByTestId('gate-slow')).toContainText(/gives up (in \d s|now)/)
  await expect(page.getByTestId('gate-tip-slow')).toContainText('It gives up at')
  expect(await barriers(page)).toEqual([])
  await expect(card(page, 'slow')).toHaveAttribute('data-status', 'TIMEOUT')
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await openNode(page, 'cached', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('as of before: wait_timeout')
})
