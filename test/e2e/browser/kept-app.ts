/**
 * The desktop app of one test after the other: each has an app of its own, begun by the main bundle on a data directory of its
 * own, with an engine in a process of its own; they have the process of the stand-in, its Chromium and the window's page from
 * the one before, where that left nothing in it. To start these and to compile the designer once more took half of a test.
 */

import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import type { LaunchOptions } from '../desktop/launch.ts'
import { beginLife, endLife, launch } from '../desktop/launch.ts'
import type { Left } from './lasting-page.ts'
import { LastingPage } from './lasting-page.ts'

interface Kept {
  readonly app: ElectronApplication
  readonly lasting: LastingPage
}

export class KeptApp {
  #kept: Kept | null = null
  #isTaken = false
  readonly #folder: string

  /** The folder is for what outlives a test. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** The app, begun on these options; `ready` is told of each window's page that is new. */
  async take(
    options: LaunchOptions,
    ready: (app: ElectronApplication, page: Page) => void,
  ): Promise<{ readonly app: ElectronApplication; readonly page: Page }> {
    // Who never left, for an error came between, doesn't keep it.
    if (this.#isTaken || this.#kept?.lasting.page.isClosed() === true) await this.end()
    this.#isTaken = true
    await shareCompiled(this.#folder, options.userData)
    if (this.#kept === null) this.#kept = await launched({ ...options, keptIn: this.#folder }, ready)
    else await beginLife(this.#kept.app, options)
    const { app, lasting } = this.#kept
    return { app, page: lasting.page }
  }

  /** Ends the app; its process and its page stay if nothing of it is left there. */
  async leave(left: Omit<Left, 'origin'>): Promise<void> {
    if (!this.#isTaken || this.#kept === null) return
    const { app, lasting } = this.#kept
    const { origin } = new URL(lasting.page.url())
    const mayStay = (await lasting.isAsNew({ ...left, origin })) && (await endLife(app))
    if (!mayStay) await this.end()
    this.#isTaken = false
  }

  /** Ends the app's process. */
  async end(): Promise<void> {
    const kept = this.#kept
    this.#kept = null
    this.#isTaken = false
    await kept?.app.close()
  }
}

/** What V8 compiled of the engine is there at every start of an app but its first; here as well. */
async function shareCompiled(folder: string, userData: string): Promise<void> {
  const compiled = join(folder, 'compiled')
  await mkdir(compiled, { recursive: true })
  await mkdir(userData, { recursive: true })
  await symlink(compiled, join(userData, 'compiled'), 'junction')
}

async function launched(
  options: LaunchOptions,
  ready: (app: ElectronApplication, page: Page) => void,
): Promise<Kept> {
  const app = await launch(options)
  try {
    const page = await app.firstWindow()
    const lasting = new LastingPage(page)
    ready(app, page)
    return { app, lasting }
  } catch (error) {
    await app.close()
    throw error
  }
}
