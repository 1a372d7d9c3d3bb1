/** That the looks for what keeps people from a page find it: in whole, and of the same page in another theme. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { test } from './serving.ts'

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

const withRail = (button: string, { theme = 'light', heading = 'It stands there' } = {}) => `<!doctype html>
<html lang="en" data-theme="${theme}">
  <title>A part that lasts</title>
  <style>
    p, button { color: #000; background: #fff }
    [data-theme='dark'] p { color: #222; background: #111 }
  </style>
  <main><h1>${heading}</h1><div data-testid="left-rail"><p>On</p>${button}</div></main>
</html>`

test('a part that lasts is looked at again once it is another one, and as long as something is found', async ({
  page,
}) => {
  await page.setContent(withRail('<button>Go on</button>'))
  expect(await barriers(page)).toEqual([])
  for (const heading of ['Nobody can say what it does', 'Nor the next time']) {
    await page.setContent(withRail('<button></button>', { heading }))
    expect(await barriers(page)).toEqual([expect.stringMatching(/^button-name: <button>/)])
  }
  await page.setContent(withRail('<button>Go on</button>', { theme: 'dark' }))
  expect(await barriers(page)).toEqual([expect.stringMatching(/^color-contrast: <p>/)])
  await page.setContent(withRail('<button>Go on</button>'))
  expect(await barriers(page)).toEqual([])
  // What is the same is left out, for it takes half of the time: also what no look at the page's text can tell.
  await page.addStyleTag({ content: 'p { color: #fff !important }' })
  expect(await barriers(page)).toEqual([])
})
