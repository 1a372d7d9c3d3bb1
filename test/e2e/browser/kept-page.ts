/**
 * A page that is kept from test to test: another load of the designer in the same process takes half of the first one, for
 * V8 has what it compiled. What a test could leave behind is taken back, and where it did what can't be taken back, the
 * page goes, and the next test gets a new one. Servers have to be at the same address: elsewhere it is another process.
 */

import type { Browser, Page } from '@playwright/test'
import type { Left } from './lasting-page.ts'
import { LastingPage } from './lasting-page.ts'

interface Kept {
  readonly lasting: LastingPage
  /** The settings that it was made with. */
  readonly settings: string
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
    return this.#kept.lasting.page
  }

  /**
   * Takes back what the test did to the page, while its server still answers; lets go of the page where that can't be done.
   * The second time, nothing.
   */
  async leave(left: Left): Promise<void> {
    if (!this.#isTaken || this.#kept === null) return
    this.#isTaken = false
    if (!(await this.#kept.lasting.isAsNew(left))) await this.end()
  }

  async end(): Promise<void> {
    const kept = this.#kept
    this.#kept = null
    this.#isTaken = false
    await kept?.lasting.page.context().close()
  }

  async #made(settings: string, ready: (page: Page) => void): Promise<Kept> {
    const context = await this.#browser.newContext()
    const page = await context.newPage()
    const lasting = new LastingPage(page)
    ready(page)
    return { lasting, settings }
  }
}
