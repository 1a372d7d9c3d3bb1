/** Settings that every step has: their forms, and what a run shows of them. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import {
  card,
  expectNoProblems,
  openAnother,
  openNode,
  runAndWait,
  runState,
  startRun,
  typeInto,
  unfold,
} from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const people = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_people',
  title: 'Greet people',
  nodes: {
    find: { kind: 'debug', title: 'Find somebody', parameters: { produce: 'random', items: 1 } },
    greet: { kind: 'transform', title: 'Greet', parameters: { expression: '"Hello " & input[0].name' } },
  },
  edges: { first: { from: { node: 'find', port: 'out' }, to: { node: 'greet', port: 'in' } } },
  layout: { nodes: { find: { x: 0, y: 0 }, greet: { x: 340, y: 0 } } },
}

test('a step takes over what it gave in an earlier run, and leads to that run', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'people.json', people)
  await page.goto(server.url)
  await page.getByText('Greet people').first().click()
  await openNode(page, 'find', 'Settings')
  const group = page.getByTestId('inspector').getByRole('button', { name: 'Cache' })
  await expect(group).toContainText('always runs')
  await unfold(page, 'Cache')
  await typeInto(page, 'cache.ttlMs', '60000')
  await expect(page.getByTestId('inspector')).toContainText('that is taken over, and it doesn’t run')
  await typeInto(page, 'cache.key', 'input.who')
  await expect(page.getByTestId('inspector')).toContainText('for the same value of input.who')
  await expectNoProblems(page)
  expect(await barriers(page)).toEqual([])

  // A key of nothing: it runs, each time.
  await runAndWait(page, 'SUCCEEDED')
  await expect(card(page, 'find')).toContainText('Done')
  await typeInto(page, 'cache.key', '')
  await runAndWait(page, 'SUCCEEDED')
  await expect(card(page, 'find')).toContainText('Done')
  await openNode(page, 'find', 'Run data')
  const given = await page.getByTestId('run-output').textContent()
  const first = (await runState(page).getAttribute('data-run-id')) ?? ''

  await runAndWait(page, 'SUCCEEDED')
  await expect(card(page, 'find')).toContainText('From cache')
  await expect(page.getByTestId('run-output')).toHaveText(given ?? '')
  await expect(page.getByTestId('reused-result')).toContainText('From an earlier run')
  expect(await barriers(page)).toEqual([])
  await expect(page.getByTestId('reused-result').locator('code')).toHaveText(first)
  await page.getByTestId('reused-open').click()
  await expect(card(page, 'find')).toContainText('Done')
  await expect(page.getByTestId('reused-result')).toHaveCount(0)
  await expect(page.getByTestId('run-output')).toHaveText(given ?? '')
  await expect(runState(page)).toHaveAttribute('data-run-id', first)

  // What has effects is told of.
  await openNode(page, 'find', 'Settings')
  await unfold(page, 'When it is cut off')
  await typeInto(page, 'sideEffect', 'unsafe')
  await expect(page.getByTestId('problems-button')).toContainText('1')
  const told = page.getByTestId('field-cache').getByText('it has effects: they would not happen')
  await expect(told).toBeVisible()
})

/** The same people under another name, with other steps. */
const greeting = (title: string, more: object = {}) => ({
  ...people,
  ...{ id: `wf_${title.toLowerCase()}`, title },
  ...more,
})

const { find } = people.nodes
const fails = { failTimes: 2, failMessage: 'Busy.', retryable: false }
const busy = { ...find, parameters: { ...find.parameters, ...fails } }
const wait = { kind: 'wait-signal', title: 'Wait', parameters: { name: 'go' } }

const workflows = {
  ends: greeting('Ends'),
  learns: greeting('Learns'),
  tries: greeting('Tries', { nodes: { ...people.nodes, find: busy } }),
  waits: greeting('Waits', {
    nodes: { ...people.nodes, wait },
    layout: { nodes: { ...people.layout.nodes, wait: { x: 0, y: 200 } } },
  }),
}

async function endsAfterAStep(page: Page): Promise<void> {
  await openNode(page, 'find', 'Settings')
  await unfold(page, 'Kept output')
  const places = page.getByTestId('field-redact')
  await places.getByRole('button', { name: /add/i }).click()
  await places.getByRole('textbox').first().click()
  await page.keyboard.insertText('*.name')
  await unfold(page, 'Ending the run')
  await typeInto(page, 'stopAfterIf', '$count(output) = 1')
  await expect(page.getByTestId('inspector')).toContainText('the run ends after it as succeeded')
  await expect(page.getByTestId('inspector')).toContainText('steps that read it get the mark')
  await expectNoProblems(page)
  expect(await barriers(page)).toEqual([])

  await runAndWait(page, 'SUCCEEDED')
  await expect(page.getByTestId('run-ended-by')).toContainText(
    'The run ended after “Find somebody”, because this is true: $count(output) = 1',
  )
  await expect(card(page, 'find')).toContainText('Ended the run')
  await expect(card(page, 'greet')).not.toContainText('Done')
  await openNode(page, 'find', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('[REDACTED]')
  expect(await barriers(page)).toEqual([])

  await openNode(page, 'find', 'Settings')
  await unfold(page, 'Ending the run')
  await typeInto(page, 'stopAs', 'failed')
  await runAndWait(page, 'FAILED')
  await expect(page.getByTestId('run-error')).toContainText('The run was ended after “find”')
}

async function shapeIsLearned(page: Page): Promise<void> {
  await openNode(page, 'greet', 'Settings')
  // What is folded isn't made: its editors would be.
  await expect(page.getByTestId('field-outputSchema')).toHaveCount(0)
  await unfold(page, 'Output check')
  const learn = page.getByTestId('offer-outputSchema')
  await expect(page.getByTestId('field-outputSchema')).toBeVisible()
  await expect(learn).toHaveCount(0)
  await runAndWait(page, 'SUCCEEDED')
  await openNode(page, 'greet', 'Settings')
  await unfold(page, 'Output check')
  await learn.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('field-outputSchema')).toContainText('"type": "string"')
  await expect(page.getByTestId('field-outputSchema').locator('.cm-content')).toBeFocused()
  // What is declared stays as it is.
  await expect(learn).toHaveCount(0)
  await expectNoProblems(page)
  expect(await barriers(page)).toEqual([])
  await runAndWait(page, 'SUCCEEDED')

  await openNode(page, 'greet', 'Parameters')
  await typeInto(page, 'parameters.expression', '42')
  await runAndWait(page, 'FAILED')
  await expect(page.getByTestId('run-error')).toContainText('doesn’t fit')
}

async function triedWhileItHolds(page: Page): Promise<void> {
  await runAndWait(page, 'FAILED')
  await openNode(page, 'find', 'Settings')
  await unfold(page, 'Retry')
  await typeInto(page, 'retry.maxAttempts', '5')
  await typeInto(page, 'retry.delayMs', '1')
  const field = page.getByTestId('field-retry.retryIf')
  await field.locator('.cm-content').click()
  await page.keyboard.type('err')
  await page.locator('.cm-tooltip-autocomplete').getByText('why the attempt failed').click()
  await page.keyboard.type('.message = "Busy."')
  await expect(field.getByTestId('expression-preview')).toHaveText('= true')
  await expect(page.getByTestId('inspector')).toContainText(
    'only where this is true: error.message = "Busy."',
  )
  await expectNoProblems(page)
  expect(await barriers(page)).toEqual([])

  await runAndWait(page, 'SUCCEEDED')
  await typeInto(page, 'retry.retryIf', 'run.attempt < 2')
  await runAndWait(page, 'FAILED')
  await openNode(page, 'find', 'Run data')
  await expect(page.getByTestId('inspector')).toContainText('because this isn’t true: run.attempt < 2')
}

async function keptUntilItIsOver(page: Page): Promise<void> {
  await openNode(page, 'find', 'Settings')
  await unfold(page, 'Kept output')
  await typeInto(page, 'keepOutput', 'summary')
  await expect(page.getByTestId('inspector')).toContainText(
    'only the shape of what it was called with and gave',
  )
  await expectNoProblems(page)
  expect(await barriers(page)).toEqual([])

  await startRun(page)
  await expect(card(page, 'find')).toContainText('Done')
  await openNode(page, 'find', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('Here until the run is over.')
  expect(await barriers(page)).toEqual([])
  await openNode(page, 'wait', 'Run data')
  await page.getByTestId('signal-send').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')

  // What this page has read it has; another one finds the shape.
  const runId = (await runState(page).getAttribute('data-run-id')) ?? ''
  await page.reload()
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.getByTestId(`run-row-${runId}`).click()
  await openNode(page, 'find', 'Run data')
  const gone = page.getByTestId('run-output').getByTestId('gone-value')
  await expect(gone).toContainText(
    'Not kept: the settings of the step say that it goes when the run is over.',
  )
  await expect(gone).toContainText('1 item')
  expect(await barriers(page)).toEqual([])
}

test('settings that end a run early, learn a shape, try again on a condition, and keep what a step gave for a while', async ({
  page,
  server,
  dataDirectory,
}) => {
  for (const [name, workflow] of Object.entries(workflows))
    await putWorkflow(dataDirectory, `${name}.json`, workflow)
  await page.goto(server.url)
  await page.getByText(workflows.ends.title).first().click()
  await test.step('a run ends after a step because of what it gave, which is kept without what is taken out', () =>
    endsAfterAStep(page))
  await openAnother(page, workflows.learns.title)
  await test.step('what a step must give is learned from the run, and a result that breaks it fails the step', () =>
    shapeIsLearned(page))
  await openAnother(page, workflows.tries.title)
  await test.step('a step is tried again while a condition over its error holds, written with what the last run has', () =>
    triedWhileItHolds(page))
  await openAnother(page, workflows.waits.title)
  await test.step('what a step gave is there until its run is over, and its shape afterwards', () =>
    keptUntilItIsOver(page))
})
