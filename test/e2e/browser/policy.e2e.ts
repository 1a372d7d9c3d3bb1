/** The safety policy: rules are written, ordered, tried out on past runs, put in effect and taken back. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriersInBothThemes } from '../barriers.ts'
import { card, runAndWait } from '../designer-driver.ts'
import { putWorkflow, runCli, test } from './serving.ts'

const counting = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_counting',
  title: 'Count the parcels',
  nodes: { count: { kind: 'transform', parameters: { expression: '1 + 1' } } },
  edges: {},
  layout: { nodes: { count: { x: 0, y: 0 } } },
}

async function openPolicy(page: Page): Promise<void> {
  await page.getByTestId('engine-button').click()
  await page.getByRole('tab', { name: 'Policy' }).click()
}

const rows = (page: Page) => page.getByTestId('policy-row')
const ruleField = (page: Page, field: string) => page.getByTestId('policy-rule').getByTestId(`field-${field}`)

async function write(page: Page, field: string, text: string): Promise<void> {
  await ruleField(page, field).getByRole('textbox').fill(text)
}

/** Adds a rule of that title and decision. */
async function addRule(page: Page, title: string, decision: string): Promise<void> {
  await page.getByTestId('policy-add').click()
  await write(page, 'title', title)
  await ruleField(page, 'decision').getByRole('combobox').selectOption(decision)
}

async function putInEffect(page: Page, why: string): Promise<void> {
  await page.getByTestId('policy-save').click()
  await page.getByTestId('reason-text').fill(why)
  await page.getByTestId('reason-send').click()
  await expect(page.getByTestId('policy-state')).toHaveText('In effect')
}

async function triedOutAndTakenBack(page: Page): Promise<void> {
  await page.getByText(counting.title).first().click()
  await runAndWait(page, 'SUCCEEDED')
  await openPolicy(page)
  await expect(page.getByTestId('policy-whole')).toContainText('everything is allowed')
  expect(await barriersInBothThemes(page)).toEqual([])

  await addRule(page, 'Nothing at all', 'Deny')
  await page.getByTestId('policy-rule').getByRole('button', { name: 'Applies to' }).click()
  await ruleField(page, 'match.at').getByRole('combobox').selectOption('Before a step begins')
  await addRule(page, 'Sums are fine', 'Allow')
  await expect(rows(page)).toContainText(['1. Nothing at all', '2. Sums are fine'])
  // By keys, and back and forth with the mouse.
  await page.getByTestId('policy-rules').press('Alt+ArrowUp')
  await expect(rows(page)).toContainText(['1. Sums are fine', '2. Nothing at all'])
  await rows(page).nth(1).dragTo(rows(page).nth(0))
  await expect(rows(page)).toContainText(['1. Nothing at all', '2. Sums are fine'])
  expect(await barriersInBothThemes(page)).toEqual([])

  await page.getByRole('tab', { name: 'Try out' }).click()
  await page.getByTestId('policy-replay').click()
  await expect(page.getByTestId('policy-escalated')).toHaveText('1')
  await expect(page.getByTestId('policy-differences')).toContainText('Nothing at all')
  await page.getByTestId('policy-ask').click()
  await expect(page.getByTestId('policy-answer')).toContainText('Deny')
  expect(await barriersInBothThemes(page)).toEqual([])

  await page.getByRole('tab', { name: 'Rules' }).click()
  await putInEffect(page, 'Stocktaking')
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByTestId('run-button').click()
  await expect(card(page, 'count')).toHaveAttribute('data-status', 'DENIED')

  await openPolicy(page)
  await rows(page).nth(0).click()
  await page.getByRole('switch', { name: 'Asked' }).click()
  await putInEffect(page, 'It is over')
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByTestId('policy-snapshot')).toContainText(['It is over', 'Stocktaking'])
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.getByTestId('policy-rollback').click()
  await page.getByTestId('reason-send').click()
  await expect(page.getByTestId('policy-snapshot').first().getByRole('code')).toBeVisible()
  await page.getByRole('tab', { name: 'Rules' }).click()
  await expect(rows(page).nth(0)).not.toHaveAttribute('data-off', 'true')
}

async function wrongAndOvertaken(page: Page, dataDirectory: string): Promise<void> {
  await addRule(page, 'Bounded', 'Allow within bounds')
  const faults = page.getByTestId('policy-faults')
  await expect(faults).toContainText('rules[0].constraints')
  await expect(page.getByTestId('policy-save')).toBeDisabled()
  await page.getByTestId('policy-otherwise').click()
  await faults.getByRole('button').first().click()
  await expect(ruleField(page, 'constraints')).toBeVisible()
  await ruleField(page, 'constraints.maxRetries').getByRole('textbox').fill('2')
  await expect(faults).toHaveCount(0)

  const clear = await runCli(['policy', 'clear', '--data', dataDirectory])
  expect(clear.code).toBe(0)
  await putInEffect(page, 'Fewer tries')
  // Edited while another process puts something else in effect.
  await write(page, 'title', 'Bounded twice')
  await runCli(['policy', 'clear', '--data', dataDirectory])
  await expect(page.getByTestId('policy-overtaken')).toBeVisible()
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.getByTestId('policy-mine').click()
  await putInEffect(page, 'After all')
  await expect(rows(page)).toContainText(['Bounded twice'])
}

test('rules are tried out, put in effect, taken back, and told what is wrong with them', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'counting.json', counting)
  await page.goto(server.url)
  await test.step('rules are tried out on past runs, put in effect, and taken back', () =>
    triedOutAndTakenBack(page))
  expect((await runCli(['policy', 'clear', '--data', dataDirectory])).code).toBe(0)
  await expect(rows(page)).toHaveCount(0)
  await test.step('what is wrong is told with its place, and others are not overwritten unseen', () =>
    wrongAndOvertaken(page, dataDirectory))
})

/** A safety kernel that allows everything, until it is gone. */
async function kernel(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify({ decision: 'ALLOW', reason: '' })))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}/`, close }
}

test('a remote kernel that is gone is told: how often it failed, and when its circuit is open', async ({
  page,
  serve,
  dataDirectory,
}) => {
  const { url, close } = await kernel()
  await putWorkflow(dataDirectory, 'counting.json', counting)
  const server = await serve({ SAFETY_KERNEL_URL: url, POLICY_CHECK_FAIL_MODE: 'open' })
  try {
    const notice = page.getByTestId('policy-remote')
    await page.goto(server.url)
    await page.getByText(counting.title).first().click()
    await runAndWait(page, 'SUCCEEDED')
    await openPolicy(page)
    await expect(notice).toHaveAttribute('data-status', 'closed')
    await expect(notice).toContainText('It answers.')
    await page.getByRole('button', { name: 'Back to the workflow' }).click()

    await close()
    // Two questions a run, its start and its step: the third that fails opens it.
    await runAndWait(page, 'SUCCEEDED')
    await openPolicy(page)
    await expect(notice).toContainText('has not answered 2 times in a row')
    await page.getByRole('button', { name: 'Back to the workflow' }).click()
    await runAndWait(page, 'SUCCEEDED')
    await openPolicy(page)
    await expect(notice).toHaveAttribute('data-status', 'open')
    await expect(notice).toContainText('its circuit is open')
    await expect(notice).toContainText('work goes on unasked')
    expect(await barriersInBothThemes(page)).toEqual([])
  } finally {
    await close()
  }
})
