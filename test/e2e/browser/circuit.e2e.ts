/** A circuit breaker that opened says since when, until when and why, and is closed by hand; rules speak of a step. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, runCli, test } from './serving.ts'

const guarded = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_guarded',
  title: 'Ask the warehouse',
  nodes: {
    guard: { kind: 'circuit-breaker', parameters: { failures: 1, openMs: 3_600_000 } },
    ask: { kind: 'debug', parent: 'guard', parameters: { failTimes: 9, retryable: false } },
    cached: { kind: 'transform', parameters: { expression: '"as of yesterday"' } },
    note: { kind: 'log', parameters: { message: 'It failed.' } },
  },
  edges: {
    open: { from: { node: 'guard', port: 'open' }, to: { node: 'cached', port: 'in' } },
    failed: { from: { node: 'guard', port: 'error' }, to: { node: 'note', port: 'in' } },
  },
  layout: {
    nodes: {
      guard: { x: 0, y: 0, width: 420, height: 200 },
      ask: { x: 30, y: 70 },
      cached: { x: 520, y: 0 },
      note: { x: 520, y: 160 },
    },
  },
}

const policy = {
  format: 'sagasmith.policy',
  schemaVersion: 1,
  defaultDecision: 'ALLOW',
  rules: [
    {
      id: 'many',
      match: { kinds: ['log'] },
      velocity: { max: 50, windowMs: 60_000, key: 'kind' },
      decision: 'THROTTLE',
    },
    {
      id: 'notes',
      title: 'Notes in short',
      match: { kinds: ['log'] },
      decision: 'ALLOW',
      constraints: { maxRetries: 2 },
    },
  ],
}

/** Where no step inside of it is in the way. */
async function openBox(page: Page): Promise<void> {
  await card(page, 'guard').getByText('Circuit breaker').click()
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText('guard')
  await page.getByRole('tab', { name: 'Run data', exact: true }).click()
}

test('a circuit breaker says that it is open and is closed by hand; rules speak of a step', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'guarded.json', guarded)
  await page.goto(server.url)
  await page.getByText('Ask the warehouse').first().click()
  await test.step('it is open after a failure, sends runs the other way, and is closed by hand', async () => {
    await page.getByTestId('run-button').click()
    await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
    await openBox(page)
    const circuit = page.getByTestId('circuit')
    await expect(circuit).toHaveAttribute('data-status', 'open')
    await expect(circuit).toContainText('debug_failure')
    await page.getByTestId('run-button').click()
    await openNode(page, 'cached', 'Run data')
    await expect(page.getByTestId('run-output')).toContainText('as of yesterday')
    await openBox(page)
    await page.getByTestId('circuit-reset').click()
    await expect(page.getByTestId('circuits')).toContainText('Whatever comes gets in.')
  })

  await test.step('what the safety rules say of a step stands with what its settings come to', async () => {
    const file = join(dataDirectory, 'policy.json')
    await writeFile(file, JSON.stringify(policy))
    await runCli(['policy', 'set', file, '--data', dataDirectory])
    await openNode(page, 'note', 'Settings')
    await expect(page.getByTestId('policy-sentence')).toContainText(
      'The safety rule “Notes in short” lets it run within bounds: it is tried again 2 times at most.',
    )
    await expect(page.getByTestId('policy-sentence')).toContainText(
      'Once more than 50 come within 1 min, the rule “many” holds it back.',
    )
    await openNode(page, 'cached', 'Settings')
    await expect(page.getByTestId('policy-sentence')).toContainText('No safety rule applies to it')
  })
})
