/** That the looks for what keeps people from a page find it: in whole, and of the same page in another theme. */

import { expect, test } from '@playwright/test'
import { barriers } from '../barriers.ts'

const twoThemes = `<!doctype html>
<html lang="en" data-theme="light">
  <title>Two themes</title>
  <style>
    p { color: #000; background: #fff }
    [data-theme='dark'] p { color: #222; background: #111 }
  </style>
  <main><h1>Two themes</h1><p>Dark on dark in one of them.</p></main>
</html>`

test('what keeps people from a page is found, also what only its other theme does, and what came since', async ({
  page,
}) => {
  await page.setContent(twoThemes)
  expect(await barriers(page)).toEqual([])
  await page.evaluate(() => {
    document.documentElement.dataset['theme'] = 'dark'
  })
  expect(await barriers(page)).toEqual([expect.stringMatching(/^color-contrast: <p>/)])
  await page.evaluate(() => {
    document.documentElement.dataset['theme'] = 'light'
    document.querySelector('main')?.append(document.createElement('button'))
  })
  expect(await barriers(page)).toEqual([expect.stringMatching(/^button-name: <button>/)])
})
