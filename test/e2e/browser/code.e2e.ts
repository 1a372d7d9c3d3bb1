/** The workflow as text beside the canvas: both ways, with faults in place; files out, and dropped files in. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { canonicalDocument } from '../../../src-engine/model/canonical-document.ts'
import { readDocument } from '../../../src-engine/model/read-document.ts'
import { card, dropFile } from '../designer-driver.ts'
import { handedOver } from '../handed-over.ts'
import { test } from './serving.ts'

const editor = (page: Page) => page.getByTestId('code-editor').locator('.cm-content')

/** Puts the cursor behind a text of the code, and writes there. */
async function writeAfter(page: Page, line: string, text: string): Promise<void> {
  await page.getByTestId('code-editor').locator('.cm-line', { hasText: line }).first().click()
  await page.keyboard.press('End')
  await page.keyboard.type(text)
}

test('canvas and code follow each other, and files carry the workflow out and in', async ({
  page,
  server,
}) => {
  const exported = async (title: string): Promise<Buffer> => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.insertText(title)
    return (await handedOver(page, () => page.keyboard.press('Enter'))).content
  }
  const documentNow = async (): Promise<string> => (await exported('Export as JSON')).toString('utf8')
  await page.goto(server.url)
  await page.getByTestId('sample-log-summary').getByRole('button', { name: 'Open', exact: true }).click()
  await expect(card(page, 'summarize')).toBeVisible()
  await page.getByTestId('code-button').click()
  await expect(editor(page)).toContainText("import { defineWorkflow } from 'sagasmith'")

  // From the canvas to the code: what is selected stands out.
  await card(page, 'summarize').click()
  const marked = page.getByTestId('code-editor').locator('.cm-ofSelected')
  await expect(marked.first()).toHaveText('summarize: {')

  // From the code to the canvas: the line's node is selected, an edit is there at once, and is one step.
  await page.getByTestId('code-editor').locator('.cm-line', { hasText: "title: 'Sum them up'" }).click()
  await expect(card(page, 'summarize')).toHaveAttribute('data-selected', 'true')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type(' now')
  await expect(card(page, 'summarize')).toContainText('Sum them up now')
  await page.getByTestId('undo-button').click()
  await expect(card(page, 'summarize')).not.toContainText('now')
  await expect(editor(page)).not.toContainText('Sum them up now')

  // The cursor at a line marks its field and stays in the code; a field that is filled in has its own line.
  const row = page.getByTestId('field-parameters.program')
  await editor(page).press('ControlOrMeta+Home')
  await page.getByTestId('code-editor').locator('.cm-line', { hasText: 'program:' }).first().click()
  await expect(row).toHaveAttribute('data-at-cursor', 'true')
  await expect(editor(page)).toBeFocused()
  await row.locator('.cm-content, textarea, input').first().click()
  await expect(row).not.toHaveAttribute('data-at-cursor')
  await expect(page.getByTestId('code-editor').locator('.cm-ofField')).toContainText('program:')
  await card(page, 'summarize').click()
  await expect(page.getByTestId('code-editor').locator('.cm-ofField')).toHaveCount(0)

  // A fault is told where it is, and changes nothing.
  await writeAfter(page, "title: 'Sum them up'", ' x()')
  await expect(page.getByTestId('code-state')).toContainText(/Line \d+, column \d+/)
  await expect(page.getByTestId('code-editor').locator('.cm-fault')).toBeVisible()
  for (let letters = ' x()'.length; letters > 0; letters -= 1) await page.keyboard.press('Backspace')
  await expect(page.getByTestId('code-state')).toContainText('Same as the canvas')

  // Out as a picture, in again by letting go of it over the window.
  const before = await documentNow()
  const png = await exported('Export as picture (PNG)')
  const read = readDocument(before)
  expect(read.ok && canonicalDocument(read.value.document)).toBe(before)
  await page.getByTestId('home-button').click()
  await dropFile(page, { name: 'log-summary.png', bytes: png })
  await page.getByTestId('arriving-same').click()
  await expect(card(page, 'summarize')).toBeVisible()
  expect(await documentNow()).toBe(before)
  const code = await exported('Export as TypeScript')
  const edited = Buffer.from(code.toString('utf8').replace('Sum them up', 'Gather them'))
  await dropFile(page, { name: 'edited.ts', bytes: edited })
  await page.getByTestId('arriving-copy').click()
  await expect(page.getByTestId('document-title')).toHaveValue(/ \(copy\)$/)
  await expect(card(page, 'summarize')).toContainText('Gather them')
  await dropFile(page, { name: 'own.ts', bytes: Buffer.from('export default make()') })
  await expect(page.getByText('defineWorkflow({ … }) is expected').first()).toBeVisible()
})

test('the export menu goes by keys, offers each form, and gives the keyboard back', async ({
  page,
  server,
}) => {
  await page.goto(server.url)
  await page.getByTestId('sample-log-summary').getByRole('button', { name: 'Open', exact: true }).click()
  await expect(card(page, 'summarize')).toBeVisible()
  const button = page.getByTestId('export-button')
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('export-menu').getByRole('menuitem')).toHaveText([
    'Export as JSON',
    'Export as TypeScript',
    'Export as picture (SVG)',
    'Export as picture (PNG)',
    'Copy as JSON',
    'Copy as TypeScript',
  ])
  await page.keyboard.press('ArrowDown')
  const file = await handedOver(page, () => page.keyboard.press('Enter'))
  expect(file.name).toMatch(/\.ts$/)
  expect(file.content.toString('utf8')).toContain("from 'sagasmith'")
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('export-menu')).toHaveCount(0)
  await expect(button).toBeFocused()
})
