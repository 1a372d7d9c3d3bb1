/**
 * A page that is kept from test to test: another load of the designer in the same process takes half of the first one, for
 * V8 has what it compiled. What a test could leave behind is taken back, and where it did what can't be taken back, the
 * page goes, and the next test gets a new one. Servers have to be at the same address: elsewhere it is another process.
 */

import type { EventEmitter } from 'node:events'
import type { Browser, BrowserContext, BrowserContextOptions, Page, ViewportSize } from '@playwright/test'

/** What stays with a page or its context once it was called. Listeners are counted: who waits for an event has one, too. */
const lasting = {
  page: [
    ...['addLocatorHandler', 'exposeBinding', 'exposeFunction'],
    ...['route', 'routeFromHAR', 'routeWebSocket', 'setExtraHTTPHeaders'],
  ],
  context: [
    ...['addCookies', 'addInitScript', 'exposeBinding', 'exposeFunction', 'setGeolocation', 'setOffline'],
    ...['route', 'routeFromHAR', 'routeWebSocket', 'setExtraHTTPHeaders'],
  ],
  clock: ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'],
}

/** One page has so many tests: what a process gathers in its life has an end, too. */
const testsMax = 25

interface Kept {
  readonly context: BrowserContext
  readonly page: Page
  /** How a person gets to an address, whatever the tests' page waits for. */
  readonly goTo: Page['goto']
  /** The settings that it was made with. */
  readonly settings: string
  /** Takes back what a test asked for that can be. */
  readonly undoings: (() => Promise<unknown>)[]
  isSpoilt: boolean
  /** Lines to the inspector that weren't let go of; with its line goes what was asked for over it. */
  lines: number
  /** How many listeners it was made with. */
  readonly listeners: number
  tests: number
}

/** What a test leaves behind, and what the page is to have again. */
interface Left {
  readonly origin: string | null
  readonly isGood: boolean
  readonly viewport: ViewportSize | null
  readonly contextOptions: BrowserContextOptions
}

export class KeptPage {
  readonly #browser: Browser
  #kept: Kept | null = null
  #isTaken = false

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** The page, as new; `ready` is told of each page that is one. */
  async take(settings: object, ready: (page: Page) => void): Promise<Page> {
    const key = JSON.stringify(settings)
    if (this.#kept !== null && (this.#kept.settings !== key || this.#isTaken)) await this.end()
    this.#kept ??= await this.#made(key, ready)
    this.#isTaken = true
    this.#kept.tests += 1
    return this.#kept.page
  }

  /**
   * Takes back what the test did to the page, while its server still answers; lets go of the page where that can't be done.
   * The second time, nothing.
   */
  async leave(left: Left): Promise<void> {
    if (!this.#isTaken || this.#kept === null) return
    this.#isTaken = false
    const { context, page, isSpoilt, lines, listeners, tests } = this.#kept
    const isOnlyPage = context.pages().length === 1 && !page.isClosed()
    const isThere = left.origin !== null && page.url().startsWith(`${left.origin}/`)
    const isFree = !isSpoilt && lines === 0 && listenersOf(page) === listeners
    const mayStay = left.isGood && isFree && tests < testsMax && isOnlyPage && isThere
    if (!mayStay || !(await isCleaned(this.#kept, left))) await this.end()
  }

  async end(): Promise<void> {
    const kept = this.#kept
    this.#kept = null
    this.#isTaken = false
    await kept?.context.close()
  }

  async #made(settings: string, ready: (page: Page) => void): Promise<Kept> {
    const context = await this.#browser.newContext()
    const page = await context.newPage()
    const kept: Kept = {
      ...{ context, page, settings, goTo: page.goto.bind(page) },
      ...{ undoings: [], isSpoilt: false, lines: 0, listeners: listenersOf(page), tests: 0 },
    }
    const spoilt = (): void => void (kept.isSpoilt = true)
    tellOf(page, lasting.page, spoilt)
    tellOf(context, lasting.context, spoilt)
    tellOf(page.clock, lasting.clock, spoilt)
    tellOf(context, ['newCDPSession'], (session) => {
      kept.lines += 1
      void (session as ReturnType<BrowserContext['newCDPSession']>).then((line) =>
        tellOf(line, ['detach'], () => void (kept.lines -= 1)),
      )
    })
    const { undoings } = kept
    tellOf(page, ['addInitScript'], (script) =>
      undoings.push(async () => (await (script as Scripted)).dispose()),
    )
    tellOf(context, ['grantPermissions'], () => undoings.push(() => context.clearPermissions()))
    ready(page)
    return kept
  }
}

/** How many listeners a page and its context have. */
const listenersOf = (page: Page): number =>
  [page, page.context()]
    .map((one) => one as unknown as EventEmitter)
    .flatMap((one) => one.eventNames().map((name) => one.listenerCount(name)))
    .reduce((sum, count) => sum + count, 0)

/** What Playwright gives for a script of each load. */
type Scripted = Promise<{ readonly dispose: () => Promise<void> }>

/** A page of the same origin, so that the process stays, in which nothing runs. */
async function isCleaned(
  { page, goTo, undoings }: Kept,
  { origin, viewport, contextOptions }: Left,
): Promise<boolean> {
  try {
    for (const undo of undoings.splice(0)) await undo()
    await goTo(`${origin}/nothing`)
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
    return true
  } catch {
    // Its server was killed, or the page is busy for ever: the next test gets another one.
    return false
  }
}

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
