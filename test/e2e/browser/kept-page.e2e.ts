/** A page that is kept from test to test: the next one finds nothing of the one before. */

import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { KeptPage } from './kept-page.ts'
import { test } from './serving.ts'

const viewport = { width: 900, height: 600 }
const settings = { viewport }

let server: Server
let origin: string
let kept: KeptPage

test.beforeAll(async () => {
  server = createServer((_request, response) => response.end('Here.')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

test.beforeEach(({ browser }) => {
  kept = new KeptPage(browser)
})

test.afterEach(() => kept.end())

test.afterAll(() => server.close())

/** What a test has, at an address of its server. */
async function taken(): Promise<Page> {
  const page = await kept.take(settings, () => undefined)
  await page.goto(`${origin}/#t=1`)
  return page
}

const leave = (isGood = true, from: string | null = origin): Promise<void> =>
  kept.leave({ origin: from, isGood, viewport, contextOptions: { reducedMotion: 'reduce' } })

test('what is pressed, kept and looked at is as new for the next one, in the same page', async () => {
  const first = await taken()
  await first.evaluate(() => {
    localStorage.setItem('theme', 'dark')
    sessionStorage.setItem('token', '1')
    addEventListener('beforeunload', (event) => event.preventDefault())
  })
  await first.mouse.click(40, 40)
  await first.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference' })
  await first.setViewportSize({ width: 300, height: 300 })
  await first.addInitScript(() => Object.assign(window, { isScripted: true }))
  await first.context().grantPermissions(['notifications'])
  await leave()
  // The end of the test comes after that of its server.
  await leave(true, null)

  const second = await taken()
  expect(second).toBe(first)
  const found = await second.evaluate(() => [
    ...[localStorage.length, sessionStorage.length, innerWidth, innerHeight],
    matchMedia('(prefers-color-scheme: dark)').matches,
    matchMedia('(prefers-reduced-motion: reduce)').matches,
    'isScripted' in window,
    Notification.permission === 'granted',
  ])
  expect(found).toEqual([0, 0, viewport.width, viewport.height, false, true, false, false])
})

test('what a test only waited for, and a line to the inspector that it let go of, leave the page as it was', async () => {
  const first = await taken()
  const [told] = await Promise.all([
    first.waitForEvent('console'),
    first.evaluate(() => console.info('Something was said.')),
  ])
  expect(told.text()).toBe('Something was said.')
  const line = await first.context().newCDPSession(first)
  await line.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
  const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(await first.evaluate(zone)).toBe('Asia/Tokyo')
  await line.detach()
  await leave()
  expect(await taken()).toBe(first)
  expect(await first.evaluate(zone)).not.toBe('Asia/Tokyo')
})

/** What a test may do that stays with a page, or says that something is wrong with it. */
const spoiling: Readonly<Record<string, (page: Page) => unknown>> = {
  'files that are answered otherwise': (page) => page.route('**/nothing', (route) => route.abort()),
  'a listener': (page) => page.on('console', () => undefined),
  'a listener of its context': (page) => page.context().on('request', () => undefined),
  'a line to its inspector': (page) => page.context().newCDPSession(page),
  'another page': (page) => page.context().newPage(),
  'a clock that stands still': (page) => page.clock.setFixedTime(0),
  'an address elsewhere': (page) => page.goto('about:blank'),
}

test('after what stays with a page there is a new one', async () => {
  let page = await taken()
  for (const [what, spoil] of Object.entries(spoiling)) {
    await spoil(page)
    await leave()
    const next = await taken()
    expect(next, what).not.toBe(page)
    expect(page.isClosed(), what).toBe(true)
    page = next
  }
})

test('a test that failed, or whose server isn’t there any more, takes its page along', async () => {
  const first = await taken()
  await leave(false)
  const second = await taken()
  expect(second).not.toBe(first)
  await leave(true, null)
  const third = await taken()
  expect(third).not.toBe(second)
  // Who never left, for an error came between, doesn't keep it either.
  expect(await taken()).not.toBe(third)
  await leave()
  expect(await kept.take({ viewport: null }, () => undefined)).not.toBe(third)
})
