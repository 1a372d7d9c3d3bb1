/** A script in a language of the machine: written in the designer, run with JSON in and out, told where it is missing. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openAnother, openNode, runAndWait, typeInto, unfold } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const code = `# What is long is told.
read -r line
if [ -n "$line" ]; then
  echo "got $line" >&2
  printf '{"got": %s}\\n' "$line"
fi
`

const scripted = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_scripted', title: 'Scripted' },
  nodes: {
    make: { kind: 'debug', parameters: { produce: 'value', value: [1, 2] } },
    tell: { kind: 'script', title: 'Tell', parameters: { language: 'shell', code } },
  },
  edges: { first: { from: { node: 'make', port: 'out' }, to: { node: 'tell', port: 'in' } } },
  layout: { nodes: { make: { x: 0, y: 0 }, tell: { x: 340, y: 0 } } },
}

async function scriptRuns(page: Page): Promise<void> {
  await expect(card(page, 'tell')).toContainText('Shell: read -r line')
  await expect(page.getByTestId('palette-item-script')).toContainText('Script')
  await openNode(page, 'tell')
  const editor = page.getByTestId('editor-Script')
  const words = editor.locator('.cm-line span')
  await expect(words.filter({ hasText: /^if$/ })).toBeVisible()
  // Tab indents there, and nobody who has only keys is kept: Escape, then Tab, goes on.
  const content = editor.locator('.cm-content')
  await expect(content).toHaveAttribute('aria-description', /Escape, then Tab/)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? null)
  await content.click()
  await page.keyboard.press('Shift+Tab')
  expect(await focused()).toBe('editor-Script')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  expect(await focused()).not.toBe('editor-Script')
  await expect(page.getByTestId('inspector').locator(':focus')).toHaveCount(1)
  const colourOf = (text: RegExp) =>
    words.filter({ hasText: text }).evaluate((word) => getComputedStyle(word).color)
  expect(await colourOf(/^if$/)).not.toBe(await colourOf(/^# What/))
  expect(await barriers(page)).toEqual([])

  await runAndWait(page, 'SUCCEEDED')
  await openNode(page, 'tell', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('got')
  await expect(page.getByTestId('inspector')).toContainText('got [1,2]')

  await openNode(page, 'tell')
  await typeInto(page, 'parameters.language', 'other')
  await expect(page.getByTestId('inspector')).toContainText('“Interpreter” is missing.')
  await unfold(page, 'Interpreter')
  await typeInto(page, 'parameters.interpreter', 'no-such-interpreter')
  await runAndWait(page, 'FAILED')
  await openNode(page, 'tell', 'Run data')
  await expect(page.getByTestId('inspector')).toContainText(
    'this machine has no program “no-such-interpreter”',
  )
  await expect(page.getByTestId('inspector')).toContainText('name its path under “Interpreter”')
}

const coded = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_coded', title: 'Coded' },
  nodes: {
    code: {
      kind: 'javascript',
      parameters: {
        code: 'return 1\n',
        secrets: { TOKEN: '{{ secrets.SHOP }}' },
        packages: ['lodash-es@4.17.21', 'lodash'],
      },
    },
  },
  edges: {},
  layout: { nodes: { code: { x: 0, y: 0 } } },
}

async function codeCompletes(page: Page): Promise<void> {
  await openNode(page, 'code')
  const editor = page.getByTestId('editor-Code')
  await editor.locator('.cm-content').click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('ctx.')
  const offered = editor.getByRole('option')
  await expect(offered).toHaveText([
    /log/,
    /secretsRecord<string, string>/,
    /signal/,
    /idempotencyKey/,
    /attempt/,
  ])
  await expect(editor.locator('.cm-completionInfo')).toContainText('Writes a line into the log')
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await expect(editor.locator('.cm-completionInfo')).toContainText('What the step hands in under “Secrets”')
  await page.keyboard.press('Enter')
  await page.keyboard.type('.')
  await expect(offered).toHaveText([/TOKEN/])
  await offered.click()
  await expect(editor.locator('.cm-content')).toContainText('ctx.secrets.TOKEN')

  // What is wrong with an entry of a list is said below that entry, and nowhere else in the list.
  const packages = page.getByTestId('field-parameters.packages')
  await expect(packages.getByRole('alert')).toHaveText(
    '“Packages (entry 2)” is not right: write a name and its version: lodash-es@4.17.21. Correct “Packages (entry 2)”.',
  )
  await expect(packages.getByRole('textbox', { name: 'Packages 2' })).toHaveAttribute('aria-invalid', 'true')
  await expect(packages.getByRole('textbox', { name: 'Packages 1' })).toHaveAttribute('aria-invalid', 'false')
  await packages.getByRole('textbox', { name: 'Packages 2' }).fill('lodash@4.17.21')
  await expect(packages.getByRole('alert')).toHaveCount(0)
}

test('scripts and code: coloured, completed, run, and told what they miss', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'scripted.json', scripted)
  await putWorkflow(dataDirectory, 'coded.json', coded)
  await page.goto(server.url)
  await page.getByText('Scripted').first().click()
  await test.step('a script is coloured as its language, gets what arrived, and says where its interpreter is missing', () =>
    scriptRuns(page))
  await openAnother(page, 'Coded')
  await test.step('code completes what it is handed, with types and what each is for', () =>
    codeCompletes(page))
})
