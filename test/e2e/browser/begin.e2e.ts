/** A new workflow: a friendly start instead of an error, and settings that say what counts. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, cards, openNode, pressUntilDone, typeInto, unfold } from '../designer-driver.ts'
import { test } from './serving.ts'

async function beginAnew(page: Page): Promise<void> {
  await pressUntilDone(page, 'undo-button')
  await expect(page.getByTestId('empty-canvas')).toBeVisible()
}

/** From wherever the keyboard was: letters mean the canvas then. */
async function beginByKeys(page: Page): Promise<void> {
  await page.getByTestId('letters-button').focus()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('new workflow')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('empty-canvas')).toBeVisible()
  await expect(page.getByTestId('letters-button')).not.toBeFocused()
  // The dialog may still have the keys while it goes; once it is gone nothing else may have them.
  await expect(async () => {
    await page.keyboard.press('a')
    await expect(page.getByTestId('quick-add')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.keyboard.press('Escape')
}

async function seeOffers(page: Page): Promise<void> {
  const beginning = page.getByTestId('empty-canvas')
  await expect(beginning).toContainText('What happens first?')
  await expect(page.getByTestId('problems-button')).toHaveText('Nothing to run yet')
  await expect(page.getByTestId('run-button')).toBeDisabled()

  // By keys: the offers are buttons, and A searches all tasks.
  await page.getByTestId('begin-transform').focus()
  await page.keyboard.press('Enter')
  await expect(card(page, 'transform')).toBeVisible()
  await expect(beginning).toHaveCount(0)
  await expect(page.getByTestId('run-button')).toBeEnabled()
  await page.getByTestId('undo-button').click()
  await expect(beginning).toBeVisible()
  await beginning.getByRole('button', { name: 'Search all tasks' }).click()
  await expect(page.getByTestId('quick-add')).toBeVisible()
  await page.keyboard.type('delay')
  await page.keyboard.press('Enter')
  await expect(cards(page)).toHaveCount(1)
}

async function readSettings(page: Page): Promise<void> {
  await page.getByTestId('begin-shell-command').click()
  // What it lacks is counted, and said at its field once somebody was there.
  await expect(page.getByTestId('problems-button')).toContainText('1')
  const program = page.getByTestId('field-parameters.program')
  await expect(program).toBeVisible()
  await expect(program.getByRole('alert')).toHaveCount(0)
  await program.locator('input, textarea, .cm-content').first().focus()
  await page.getByTestId('inspector').getByRole('tab', { name: 'Settings' }).focus()
  await expect(program.getByRole('alert')).toBeVisible()
  await openNode(page, 'shellCommand', 'Settings')
  const inspector = page.getByTestId('inspector')
  await expect(inspector.getByRole('button', { name: /^When it is cut off/ })).toContainText(
    'a person decides',
  )
  await unfold(page, 'When it is cut off')
  await expect(page.getByTestId('field-sideEffect')).toContainText('from its kind')
  await typeInto(page, 'sideEffect', 'idempotent')
  await expect(page.getByTestId('field-onLost').locator('select')).toHaveValue('retry')
  await page.getByLabel('Back to Does it twice for Running it twice').click()
  await expect(page.getByTestId('field-onLost').locator('select')).toHaveValue('ask')

  // What means nothing yet is not asked.
  await unfold(page, 'How many at a time')
  await expect(page.getByTestId('field-concurrency.limit')).toHaveCount(0)
  await typeInto(page, 'concurrency.running', 'KEYS')
  await typeInto(page, 'concurrency.limit', '2')
  // The engine's own setting says what becomes of those without room.
  await expect(page.getByTestId('field-concurrency.onFull')).toContainText('from the engine')
  await page.getByRole('button', { name: 'Add to Key parameters' }).click()
  await page.getByTestId('field-concurrency.keys').locator('select').selectOption('cwd')
  await page.getByRole('button', { name: 'How many at a time' }).click()
  await expect(inspector.getByRole('button', { name: /^How many at a time/ })).toContainText('2 at a time')
}

async function writeSpan(page: Page): Promise<void> {
  await page.getByTestId('begin-transform').click()
  await openNode(page, 'transform', 'Settings')
  await unfold(page, 'Timeouts')
  const field = page.getByTestId('field-timeout.attemptMs')
  const [amount, unit] = [field.locator('input'), field.locator('select')]
  await expect(amount).toHaveValue('1')
  await expect(unit.locator('option:checked')).toHaveText('hours')
  await unit.selectOption({ label: 'seconds' })
  await amount.fill('')
  await expect(amount).toHaveValue('')
  await amount.pressSequentially('120')
  await expect(amount).toHaveValue('120')
  await amount.blur()
  // Two minutes, but these are the seconds that somebody wrote: also after looking elsewhere.
  await page.getByRole('tab', { name: 'Parameters', exact: true }).click()
  await page.getByRole('tab', { name: 'Settings', exact: true }).click()
  await unfold(page, 'Timeouts')
  await expect(amount).toHaveValue('120')
  await expect(unit.locator('option:checked')).toHaveText('seconds')
}

test('an empty canvas offers what to begin with; settings say what counts, in the words and units of people', async ({
  page,
  server,
}) => {
  await page.goto(server.url)
  await test.step('a new workflow that was asked for by keys has the keys', () => beginByKeys(page))
  await test.step('an empty canvas offers what to begin with, and nothing is wrong with it', () =>
    seeOffers(page))
  await beginAnew(page)
  await test.step('settings say what counts, in words, and whose it is', () => readSettings(page))
  await beginAnew(page)
  await test.step('a span stays in the unit in which it is written', () => writeSpan(page))
})
