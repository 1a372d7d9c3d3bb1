/**
 * A page that one test after the other has: what each did to it is taken back, and where it did what can't be taken back,
 * the page is done with.
 */

import type { EventEmitter } from 'node:events'
import type { BrowserContextOptions, CDPSession, Page, ViewportSize } from '@playwright/test'

/** What stays with a page or its context once it was called. Listeners are counted: who waits for an event has one, too. */
const lasting = {
  page: [
    ...['addLocatorHandler', 'exposeBinding', 'exposeFunction'],
    ...['route', 'routeFromHAR', 'routeWebSocket', 'setExtraHTTPHeaders'],
  ],
  context: [
    ...['addCookies', 'addInitScript', 'exposeBinding', 'exposeFunction'],
    ...['route', 'routeFromHAR', 'routeWebSocket', 'setExtraHTTPHeaders', 'setGeolocation', 'setOffline'],
  ],
  clock: ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'],
}

/** One page has so many tests: what a process gathers in its life has an end, too. */
const testsMax = 25

/** How a test left its page. */
export interface Left {
  /** Whose pages it was to have at its end; null where nobody serves them any more. */
  readonly origin: string | null
  readonly isGood: boolean
  readonly viewport: ViewportSize | null
  /** What the page is to have again. */
  readonly contextOptions: BrowserContextOptions
}

export class LastingPage {
  readonly page: Page
  /** How a person gets to an address, whatever the tests' page waits for. */
  readonly #goTo: Page['goto']
  /** Takes back what a test asked for that can be. */
  readonly #undoings: (() => Promise<unknown>)[] = []
  /** How many listeners it has by itself; who waits for an event has one for as long. */
  readonly #listeners: number
  /** Lines to its inspector that weren't let go of; with its line goes what was asked for over it. */
  #lines = 0
  #isSpoilt = false
  #tests = 0

  constructor(page: Page) {
    this.page = page
    this.#goTo = page.goto.bind(page)
    const context = page.context()
    const spoilt = (): void => void (this.#isSpoilt = true)
    tellOf(page, lasting.page, spoilt)
    tellOf(context, lasting.context, spoilt)
    tellOf(page.clock, lasting.clock, spoilt)
    tellOf(page, ['addInitScript'], (script) =>
      this.#undoings.push(async () => (await (script as Scripted)).dispose()),
    )
    tellOf(context, ['newCDPSession'], (line) => void this.#holds(line as Promise<CDPSession>))
    tellOf(context, ['grantPermissions'], () => this.#undoings.push(() => context.clearPermissions()))
    this.#listeners = listenersOf(page)
  }

  /** Takes back what a test did, while its pages are still served; whether the next one may have the page. */
  async isAsNew({ origin, isGood, viewport, contextOptions }: Left): Promise<boolean> {
    this.#tests += 1
    const { page } = this
    const isOnlyPage = !page.isClosed() && page.context().pages().length === 1
    if (!isGood || this.#isSpoilt || this.#tests >= testsMax || !isOnlyPage) return false
    if (this.#lines > 0 || listenersOf(page) !== this.#listeners) return false
    if (origin === null || !page.url().startsWith(`${origin}/`)) return false
    try {
      await this.#clean(origin, { viewport, contextOptions })
      return true
    } catch {
      // Its server was killed, or the page is busy for ever: the next test gets another one.
      return false
    }
  }

  async #holds(opening: Promise<CDPSession>): Promise<void> {
    this.#lines += 1
    // Who asked for a line that can't be had hears why.
    const line = await opening.catch(() => null)
    if (line !== null) tellOf(line, ['detach'], () => void (this.#lines -= 1))
  }

  /** It goes to a page of the same origin, so that the process stays, in which nothing runs. */
  async #clean(
    origin: string,
    { viewport, contextOptions }: Pick<Left, 'viewport' | 'contextOptions'>,
  ): Promise<void> {
    const { page } = this
    for (const undo of this.#undoings.splice(0)) await undo()
    await this.#goTo(`${origin}/nothing`)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await page.emulateMedia({
      colorScheme: null,
      contrast: null,
      forcedColors: null,
      media: null,
      reducedMotion: contextOptions.reducedMotion ?? null,
    })
    if (viewport !== null && !isDeepEqual(page.viewportSize(), viewport)) await page.setViewportSize(viewport)
    // A pointer that stood where the next test's page has something would hover it.
    await page.mouse.move(0, 0)
  }
}

const listenersOf = (page: Page): number =>
  [page, page.context()]
    .map((emitter) => emitter as unknown as EventEmitter)
    .flatMap((emitter) => emitter.eventNames().map((name) => emitter.listenerCount(name)))
    .reduce((sum, count) => sum + count, 0)

/** What Playwright gives for a script of each load. */
type Scripted = Promise<{ readonly dispose: () => Promise<void> }>

const isDeepEqual = (a: ViewportSize | null, b: ViewportSize): boolean =>
  a !== null && a.width === b.width && a.height === b.height

/** Has calls of methods told, with what they gave; they do what they did. */
function tellOf(owner: object, names: readonly string[], told: (given: unknown) => unknown): void {
  for (const name of names) {
    const method: unknown = Reflect.get(owner, name)
    if (typeof method !== 'function') throw new Error(`Playwright has no ${name} any more.`)
    Reflect.set(owner, name, (...given: readonly unknown[]): unknown => {
      const answer: unknown = Reflect.apply(method, owner, given)
      told(answer)
      return answer
    })
  }
}
