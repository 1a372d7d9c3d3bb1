/** Triggers at the canvas' edge: added, written, published, switched, fired; and the month of schedules. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import {
  cards,
  documentOf,
  expectNoProblems,
  openAnother,
  openNode,
  runState,
  typeInto,
} from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

interface Exported {
  readonly triggers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A new workflow of one step. */
async function newWorkflow(page: Page): Promise<void> {
  await page.getByTestId('new-workflow').click()
  await page.getByTestId('begin-transform').click()
}

/** A new workflow with a schedule, whose form is open. */
async function newSchedule(page: Page): Promise<void> {
  await newWorkflow(page)
  await page.getByTestId('edge-add').click()
  await page.getByTestId('trigger-kind-cron').click()
}

async function monthWithoutSchedules(page: Page): Promise<void> {
  await page.keyboard.press('F7')
  await page.getByRole('tab', { name: 'Schedules' }).click()
  const month = page.getByTestId('schedules-page')
  await expect(month).toContainText('No schedule is on.')
  const title = await month.getByTestId('schedules-month').textContent()
  await month.getByRole('button', { name: 'The month after' }).click()
  await expect(month.getByTestId('schedules-month')).not.toHaveText(title ?? '')
  await month.getByRole('button', { name: 'The month before' }).click()
  await expect(month.getByTestId('schedules-month')).toHaveText(title ?? '')
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
}

async function saysInWords(page: Page): Promise<void> {
  const form = page.getByTestId('trigger-inspector')
  const card = page.getByTestId('trigger-card-cron')
  const words = form.getByTestId('schedule-words')
  await expect(words).toHaveText('every day at 09:00 in UTC')
  await expect(form.getByTestId('schedule-preview').locator('tr')).toHaveCount(10)

  await typeInto(page, 'triggers.cron.parameters.timeZone', 'Europe/Lisbon')
  await typeInto(page, 'triggers.cron.parameters.expression', '0 9 * * MON-FRI')
  await expect(words).toHaveText('every weekday at 09:00 in Lisbon')
  await expect(card).toContainText('every weekday at 09:00 in Lisbon')
  await expect(card).toHaveAttribute('data-standing', 'unpublished')
  await expectNoProblems(page)
  expect(await barriers(page)).toEqual([])

  await typeInto(page, 'triggers.cron.parameters.expression', '0 99 * * *')
  await expect(form).toContainText('“99” is not among 0 to 23')
  await expect(card.getByTestId('trigger-problem')).toContainText('“99” is not among 0 to 23')
  await expect(words).toHaveCount(0)
  await typeInto(page, 'triggers.cron.parameters.expression', '30 9 * * MON-FRI')
  await expect(words).toHaveText('every weekday at 09:30 in Lisbon')

  await form.getByTestId('trigger-title').fill('Morning')
  await form.getByTestId('trigger-enabled').uncheck()
  expect((JSON.parse(await documentOf(page)) as Exported).triggers).toEqual({
    cron: {
      kind: 'cron',
      title: 'Morning',
      enabled: false,
      parameters: { expression: '30 9 * * MON-FRI', timeZone: 'Europe/Lisbon' },
    },
  })
  await page.getByTestId('inspector').getByRole('button', { name: 'Remove Morning' }).click()
  await expect(card).toHaveCount(0)
  expect((JSON.parse(await documentOf(page)) as Exported).triggers).toBeUndefined()
  await page.getByTestId('undo-button').click()
  await expect(card).toContainText('Morning')
}

async function startsRuns(page: Page): Promise<void> {
  await page.getByTestId('trigger-card-cron').getByRole('button').first().click()
  await page.getByTestId('trigger-enabled').check()
  await typeInto(page, 'triggers.cron.parameters.expression', '* * * * * *')
  await expectNoProblems(page)
  await page.getByTestId('edge-publish').click()
  await expect(page.getByText('Its trigger acts from now on.')).toBeVisible()
  await page.keyboard.press('F7')
  await page.getByRole('tab', { name: 'Schedules' }).click()
  await expect(page.getByTestId('schedules-page')).not.toContainText('No schedule is on.')
  const days = page.getByTestId('schedules-page').locator('[data-day]')
  await days.first().click()
  await page.keyboard.press('End')
  await expect(days.last()).toBeFocused()
  await expect(page.getByTestId('day-detail').getByRole('listitem').first()).toContainText('×')
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByRole('tab', { name: 'Runs' }).click()
  await expect(page.locator('[data-testid^="run-row-"][data-status="SUCCEEDED"]').nth(1)).toBeVisible()
}

async function cardTellsAndIsSwitched(page: Page): Promise<void> {
  const card = page.getByTestId('trigger-card-cron')
  await page.getByTestId('edge-publish').click()
  await expect(card).toHaveAttribute('data-standing', 'acts')
  await expect(card.getByTestId('trigger-next')).toBeVisible()
  await expect(card.getByTestId('trigger-live')).toContainText('nothing yet')
  await expect(page.getByTestId('trigger-publication')).toHaveCount(0)

  await test.step('a workflow that changed since it was published is not passed off as what runs', async () => {
    await openNode(page, 'transform')
    await typeInto(page, 'parameters.expression', '{ "new": true }')
    const behind = page.getByTestId('trigger-publication')
    await expect(behind).toContainText('Runs start the version that was published')
    const mark = page.getByTestId('node-transform').getByTestId('unpublished-mark')
    await expect(mark).toBeVisible()
    await behind.getByRole('button').click()
    await page.getByTestId('publish-confirm').click()
    await expect(behind).toHaveCount(0)
    await expect(mark).toHaveCount(0)
  })

  await card.getByTestId('trigger-fire').click()
  await page.getByRole('button', { name: 'Show the run' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await card.getByRole('button').first().click()

  // What a person switches is no edit: the document stays as it is.
  await card.getByTestId('trigger-switch').click()
  await expect(card).toHaveAttribute('data-standing', 'offByHand')
  await expect(page.getByTestId('trigger-by-hand')).toContainText('Somebody switched it off by hand.')
  await expect(page.getByTestId('trigger-publication')).toHaveCount(0)
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Leave it to the document' }).click()
  await expect(card).toHaveAttribute('data-standing', 'acts')

  await typeInto(page, 'triggers.cron.parameters.expression', '0 10 * * *')
  await expect(card).toHaveAttribute('data-standing', 'changed')
  await page.getByTestId('inspector').getByRole('button', { name: 'Remove On a schedule' }).click()
  await expect(card).toHaveAttribute('data-standing', 'gone')
  await page.getByTestId('edge-publish').click()
  await expect(card).toHaveCount(0)
}

test('a schedule is written, published, on the month’s page, starts runs, and is switched and fired by hand', async ({
  page,
  server,
}) => {
  await page.goto(server.url)
  await newSchedule(page)
  await test.step('the month of schedules has a page, which says how schedules come to be on it', () =>
    monthWithoutSchedules(page))
  await test.step('a schedule says in words when it starts, while it is written', () => saysInWords(page))
  await test.step('published, a schedule is on the month’s page and starts runs', () => startsRuns(page))
  await page.getByTestId('home-button').click()
  await newSchedule(page)
  await test.step('published, a card counts down, tells what came of it, is switched and fired by hand', () =>
    cardTellsAndIsSwitched(page))
})

async function byKeysAndDragged(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  // Left of the first node is what starts it: nothing yet but the way to add something.
  // Both within a frame, as of a hand that is quicker than a busy page: the card, which has the keyboard a frame after the
  // first press, doesn't take it back from what the second one led to.
  const isLeft = await page.evaluate(async () => {
    for (const key of ['ArrowLeft', 'ArrowLeft']) {
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      )
    }
    await new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(settle)))
    return document.activeElement?.getAttribute('data-testid') === 'edge-add'
  })
  expect(isLeft).toBe(true)
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('trigger-kind-manual')).toBeFocused()
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const first = page.getByTestId('trigger-card-event')
  await expect(first).toHaveAttribute('data-selected', 'true')
  await expect(page.getByTestId('trigger-inspector')).toHaveAttribute('data-trigger', 'event')

  await page.getByTestId('palette-trigger-cron').press('Enter')
  const second = page.getByTestId('trigger-card-cron')
  await expect(second.locator('[data-stop]')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(first).toHaveAttribute('data-selected', 'true')
  await page.keyboard.press('Delete')
  await expect(first).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(first).toBeVisible()
  await second.locator('[data-stop]').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText('transform')

  await test.step('a trigger is dragged onto the canvas; no node moves, and none is added', async () => {
    const before = await cards(page).count()
    await page
      .getByTestId('palette-trigger-file-watch')
      .dragTo(page.getByTestId('canvas'), { targetPosition: { x: 500, y: 300 } })
    await expect(page.getByTestId('trigger-card-fileWatch')).toBeVisible()
    await expect(cards(page)).toHaveCount(before)
    await expect(page.getByTestId('trigger-wires')).toBeVisible()
  })
}

async function redisStream(page: Page): Promise<void> {
  await page.getByTestId('edge-add').click()
  await page.getByTestId('trigger-kind-redis-stream').click()
  const card = page.getByTestId('trigger-card-redisStream')
  const form = page.getByTestId('trigger-inspector')
  // What was just added says what it lacks once something was done with it.
  await expect(card.getByTestId('trigger-problem')).toHaveCount(0)
  await typeInto(page, 'triggers.redisStream.parameters.host', '127.0.0.1')
  await expect(card.getByTestId('trigger-problem')).toBeVisible()
  await typeInto(page, 'triggers.redisStream.parameters.stream', 'orders')
  await expect(card).toContainText('orders on 127.0.0.1')
  await expectNoProblems(page)
  expect(await barriers(page)).toEqual([])

  await typeInto(page, 'triggers.redisStream.parameters.startAt', 'yesterday')
  await expect(form).toContainText('is not right: write $, 0 or the id of an entry')
  await typeInto(page, 'triggers.redisStream.parameters.startAt', '0')
  await expectNoProblems(page)
  expect((JSON.parse(await documentOf(page)) as Exported).triggers).toEqual({
    redisStream: {
      kind: 'redis-stream',
      parameters: { host: '127.0.0.1', stream: 'orders', startAt: '0' },
    },
  })
  await page.getByTestId('edge-publish').click()
  await expect(card).toHaveAttribute('data-standing', 'unread')
  await expect(page.getByTestId('trigger-facts')).toContainText(
    'On, but its stream can’t be read: “127.0.0.1” is not on the public internet.',
  )
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('trigger-facts').getByRole('button', { name: 'What it did, and why not' }).click()
  await expect(page.getByTestId('trigger-now')).toContainText('add “127.0.0.1” under “Private hosts”')
  expect(await barriers(page)).toEqual([])
}

const head = { format: 'sagasmith.workflow', schemaVersion: 1, edges: {} }
/** Watches a folder. */
const incoming = (folder: string) => ({
  ...{ ...head, id: 'wf_incoming', title: 'Incoming files' },
  nodes: { take: { kind: 'noop' } },
  triggers: { files: { kind: 'file-watch', title: 'New files', parameters: { folder } } },
  layout: { nodes: { take: { x: 0, y: 0 } } },
})

async function watchedFolder(page: Page, folder: string): Promise<void> {
  await page.getByTestId('edge-publish').click()
  const card = page.getByTestId('trigger-card-files')
  await expect(card).toHaveAttribute('data-standing', 'unwatched')
  await page.getByTestId('problems-button').click()
  const problem = page.getByTestId('problem-around')
  await expect(problem).toContainText(`There is no folder “${folder}” on this machine.`)
  await problem.getByRole('button').click()
  await expect(page.getByTestId('trigger-facts')).toContainText('On, but its folder can’t be read')
  await expect(page.getByTestId('trigger-facts')).toContainText('Make it, or name another one')
  expect(await barriers(page)).toEqual([])

  await mkdir(folder)
  await card.getByTestId('trigger-switch').click()
  await expect(card).toHaveAttribute('data-standing', 'offByHand')
  await card.getByTestId('trigger-switch').click()
  await expect(card).toHaveAttribute('data-standing', 'acts')
  await expect(problem).toHaveCount(0)
}

const mailed = { kind: 'mail-arrived', title: 'A mail', parameters: { folder: 'INBOX', deep: { a: [1, 2] } } }
const odd = {
  ...{ ...head, id: 'wf_odd', title: 'Odd starts' },
  nodes: { note: { kind: 'log', parameters: { message: 'Hi' } } },
  triggers: {
    odd: mailed,
    shop: { kind: 'webhook', parameters: { path: 'orders', method: 'POST', auth: { kind: 'none' } } },
  },
}

async function unsignedAndUnknown(page: Page): Promise<void> {
  await expect(page.getByTestId('trigger-card-shop').getByTestId('trigger-unsigned')).toBeVisible()
  const card = page.getByTestId('trigger-card-odd')
  await expect(card).toHaveAttribute('data-standing', 'unknown')
  await card.getByRole('button').first().click()
  await expect(page.getByTestId('trigger-raw')).toContainText('"INBOX"')
  await page.getByTestId('document-title').fill('Odd starts, renamed')
  expect((JSON.parse(await documentOf(page)) as Exported).triggers?.['odd']).toEqual(mailed)
  expect(await barriers(page)).toEqual([])
}

test('triggers of all kinds are added by keys or dragged, and say on their cards how they stand', async ({
  page,
  server,
  dataDirectory,
}) => {
  const folder = join(dataDirectory, 'incoming')
  await putWorkflow(dataDirectory, 'incoming.json', incoming(folder))
  await putWorkflow(dataDirectory, 'odd.json', odd)
  await page.goto(server.url)
  await newWorkflow(page)
  await test.step('triggers are added, reached, removed and brought back by the keyboard alone, or dragged', () =>
    byKeysAndDragged(page))
  await page.getByTestId('home-button').click()
  await newWorkflow(page)
  await test.step('a Redis stream is described in a form, and says on its card why it isn’t read', () =>
    redisStream(page))
  await openAnother(page, 'Incoming files')
  await test.step('a watched folder that isn’t there is told on the card, in the form and among the problems, until it is', () =>
    watchedFolder(page, folder))
  await openAnother(page, 'Odd starts')
  await test.step('an unsigned webhook is marked, and a kind that nobody knows keeps its data', () =>
    unsignedAndUnknown(page))
})
