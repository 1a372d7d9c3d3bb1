/**
 * `sagasmith serve` as a child process on its own data directory, and the page it serves. With `shell: 'desktop'` the
 * same specs get the desktop app on that data directory and its window instead.
 */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { ElectronApplication, Page } from '@playwright/test'
import { test as base } from '@playwright/test'
import type { CommandTold } from '../../support/command-process.ts'
import { CommandProcess } from '../../support/command-process.ts'
import { killTree } from '../../support/kill-tree.ts'
import { ServingProcess } from '../../support/serving-process.ts'
import { trustBefore } from '../../support/trusted-documents.ts'
import { releasePages } from '../desktop/launch.ts'
import { isWindowOf } from '../handed-over.ts'
import { KeptApp } from './kept-app.ts'
import { KeptPage } from './kept-page.ts'

const projectRoot = resolve(import.meta.dirname, '../../..')
/** The command line as it is built, for `node`: from its sources each process takes twice as long to start. */
export const cliPath = join(projectRoot, 'out/main/cli.js')

/** Never those of the person at this machine. */
const ownSettings = { SAGASMITH_CONFIG: join(tmpdir(), 'sagasmith-no-such-config.json') }

/** Who waits for calls listens where the system chooses, for others listen on this machine, too. */
const sharedSettings = { ...ownSettings, SAGASMITH_WEBHOOK_PORT: '0' }

export interface Server {
  readonly url: string
  readonly port: number
  readonly process: ChildProcess
  /** Ends it as a power cut would. */
  readonly kill: () => Promise<void>
  /** Ends it as Ctrl-C would. */
  readonly stop: () => Promise<void>
}

/** Starts serving and waits for its address; `settings` are variables of its environment. */
export async function startServer(
  dataDirectory: string,
  port = 0,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const child = spawnCli(['serve', '--json', '--data', dataDirectory, '--port', String(port)], settings)
  const announced = await firstLine(child)
  const { url, port: bound } = JSON.parse(announced) as { readonly url: string; readonly port: number }
  let isEnding = false
  let lastWords = ''
  child.stderr?.on('data', (chunk: Buffer) => (lastWords = (lastWords + chunk.toString()).slice(-4_000)))
  child.once('exit', (code, signal) => {
    // Who kills it knows; a test that only sees a page without an engine doesn't.
    if (isEnding || signal === 'SIGKILL') return
    process.stderr.write(`The server of ${dataDirectory} ended by itself: ${code ?? signal}. ${lastWords}\n`)
  })
  const end = async (signal: 'SIGKILL' | 'SIGINT'): Promise<void> => {
    isEnding = true
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    if (signal === 'SIGKILL' && child.pid !== undefined) killTree(child.pid)
    else child.kill(signal)
    await exited
  }
  return { url, port: bound, process: child, kill: () => end('SIGKILL'), stop: () => end('SIGINT') }
}

/** A runner as a process of its own on the data of a server; the way to end it as a power cut would. */
export function startRunner(dataDirectory: string): { readonly pid: number; readonly kill: () => void } {
  const child = spawnCli(['runner', '--store', `sqlite:${join(dataDirectory, 'sagasmith.db')}`])
  const { pid } = child
  if (pid === undefined) throw new Error('The runner did not start.')
  running.add(child)
  child.once('exit', () => running.delete(child))
  return { pid, kill: () => killTree(pid) }
}

/** Runners that a test which failed didn't come to end would be at work for as long as the machine is. */
const running = new Set<ChildProcess>()

function endRunners(): void {
  for (const { pid } of running) if (pid !== undefined) killTree(pid)
}

/** Has the commands of a worker's tests. */
const commands = new CommandProcess({
  bundle: cliPath,
  cwd: projectRoot,
  environment: { ...process.env, ...ownSettings },
})

/** Runs a command of the CLI to its end. */
export const runCli = (args: readonly string[]): Promise<CommandTold> => commands.run(args)

function spawnCli(args: readonly string[], own: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [cliPath, ...args], {
    cwd: projectRoot,
    env: { ...process.env, ...ownSettings, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function firstLine(child: ChildProcess): Promise<string> {
  let complaints = ''
  child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  if (child.stdout === null) throw new Error('The child was started with a pipe.')
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit').then(() => null)
  const line = await Promise.race([once(lines, 'line').then(([text]) => String(text)), ended])
  if (line === null) throw new Error(`serve ended before it said where it is: ${complaints}`)
  return line
}

/** What every test has. */
export interface Fixtures {
  /** Where the specs are played: in a page of `sagasmith serve`, or in the window of the desktop app. */
  readonly shell: 'browser' | 'desktop'
  /** A new data directory, removed afterwards. */
  readonly dataDirectory: string
  /** The desktop app on `dataDirectory`; null in a browser. */
  readonly app: ElectronApplication | null
  /** A server on `dataDirectory`; of the desktop app it is its engine, and can only be gone to. */
  readonly server: Server
  /** The same for what needs variables in its environment: they are given when it is started. In a browser alone. */
  readonly serve: (settings: Readonly<Record<string, string>>) => Promise<Server>
}

/** What the tests of a worker share. */
export interface Shared {
  /** Variables of the environment of their servers. */
  readonly serverSettings: Readonly<Record<string, string>>
  /** Has their servers, one after the other. */
  readonly servingProcess: ServingProcess
  /** Has their pages in a browser. */
  readonly keptPage: KeptPage
  /** Has their apps. */
  readonly keptApp: KeptApp
}

/** Waits until the app is drawn; before that it hears no key. Pages that aren't the app's have nothing to wait for. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('#root')?.childElementCount !== 0)
}

/** Has a page wait until it is drawn whenever it is loaded anew. */
function reloadsDrawn(page: Page): Page {
  const reload = page.reload.bind(page)
  page.reload = async (...args) => {
    const response = await reload(...args)
    await drawn(page)
    return response
  }
  return page
}

/** The same, also when it is gone to. */
function loadsDrawn(page: Page): void {
  const goTo = page.goto.bind(page)
  page.goto = async (...args) => {
    const response = await goTo(...args)
    await drawn(page)
    return response
  }
  reloadsDrawn(page)
}

/**
 * The app's window. It is loaded once it is gone to, when the files are there that it is to see; from then on to go to
 * it is to load it anew.
 */
function loadsWindow(app: ElectronApplication, page: Page): void {
  reloadsDrawn(page)
  page.goto = async () => {
    // Chromium gives a load up that begins while another one still fetches: then it is begun once more.
    if (!(await releasePages(app))) return page.reload().catch(() => page.reload())
    await page.locator('#root > *').first().waitFor({ state: 'attached' })
    await page.waitForLoadState('load')
    return null
  }
}

/** Has a person who is asked where to save take the name that is offered, in the workspace. */
const takeOfferedPlaces = (app: ElectronApplication, workspace: string): Promise<void> =>
  app.evaluate(({ dialog }, folder) => {
    dialog.showSaveDialog = (...given: readonly unknown[]) => {
      const { defaultPath = 'workflow.json' } = given.at(-1) as { readonly defaultPath?: string }
      return Promise.resolve({ canceled: false, filePath: `${folder}/${defaultPath.split('/').at(-1)}` })
    }
  }, workspace)

const cannot = (): never => {
  throw new Error('The desktop app has an engine of its own: this spec is for a browser alone.')
}

/** Playwright's `test` with a server of its own for each test, and a page that is drawn once it was gone to. */
export const test = base.extend<Fixtures, Shared>({
  shell: ['browser', { option: true }],
  dataDirectory: async ({ browserName }, provide) => {
    const path = await mkdtemp(join(tmpdir(), `sagasmith-${browserName}-`))
    await provide(path)
    endRunners()
    await rm(path, { recursive: true, force: true, maxRetries: 5 })
  },
  app: async ({ shell, dataDirectory, keptApp, viewport, contextOptions }, provide, test) => {
    if (shell === 'browser') return provide(null)
    const options = {
      appFolder: projectRoot,
      userData: join(dataDirectory, 'desktop'),
      isHeld: true,
      env: { SAGASMITH_DATA: dataDirectory, ...ownSettings },
    }
    const { app, page } = await keptApp.take(options, loadsWindow)
    isWindowOf(page, { app, folder: dataDirectory })
    await takeOfferedPlaces(app, join(dataDirectory, 'workflows'))
    await provide(app)
    await keptApp.leave({ isGood: test.status === test.expectedStatus, viewport, contextOptions })
  },
  context: async ({ app, keptPage, viewport, timezoneId, contextOptions }, provide, test) => {
    if (app !== null) return provide(app.context())
    const page = await keptPage.take({ viewport, timezoneId, contextOptions }, loadsDrawn)
    await provide(page.context())
    // Where the server's end hasn't done it, the server is one that isn't known here.
    await keptPage.leave({
      origin: null,
      isGood: test.status === test.expectedStatus,
      viewport,
      contextOptions,
    })
  },
  page: async ({ app, context, viewport }, provide) => {
    const [page] = context.pages()
    if (page === undefined) throw new Error('The context has its page from the beginning.')
    if (app !== null && viewport !== null) {
      // The app's own size came after that of the test before, of which Playwright still knows.
      await page.setViewportSize({ ...viewport, width: viewport.width + 1 })
      await page.setViewportSize(viewport)
    }
    await provide(page)
  },
  serverSettings: [sharedSettings, { scope: 'worker', option: true }],
  servingProcess: [
    async ({ serverSettings }, provide) => {
      const environment = { ...process.env, ...serverSettings }
      const shared = new ServingProcess({ bundle: cliPath, cwd: projectRoot, environment })
      await provide(shared)
      await shared.end()
    },
    { scope: 'worker' },
  ],
  keptPage: [
    async ({ browser }, provide) => {
      const kept = new KeptPage(browser)
      await provide(kept)
      await kept.end()
    },
    { scope: 'worker' },
  ],
  keptApp: [
    async ({ browserName }, provide) => {
      const folder = await mkdtemp(join(tmpdir(), `sagasmith-${browserName}-app-`))
      const kept = new KeptApp(folder)
      await provide(kept)
      await kept.end()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
    { scope: 'worker' },
  ],
  serve: async ({ dataDirectory, servingProcess, keptPage, viewport, contextOptions }, provide, test) => {
    let server: Server | null = null
    await provide(async (settings) => (server = await servingProcess.serve(dataDirectory, settings)))
    const begun = server as Server | null
    if (begun === null) return
    const { origin } = new URL(begun.url)
    await keptPage.leave({ origin, isGood: test.status === test.expectedStatus, viewport, contextOptions })
    await begun.stop()
  },
  server: async ({ shell, serve }, provide) => {
    if (shell === 'browser') return provide(await serve({}))
    const gone = { kill: cannot, stop: cannot }
    await provide({
      url: '',
      port: 0,
      ...gone,
      get process(): ChildProcess {
        return cannot()
      },
    })
  },
})

/** Puts a workflow file of the person's own into the workspace of a data directory; gives its path. */
export async function putWorkflow(dataDirectory: string, name: string, document: object): Promise<string> {
  await trustBefore(dataDirectory, document)
  return putForeignWorkflow(dataDirectory, name, document)
}

/** The same for one from elsewhere: nobody there trusts it. */
export async function putForeignWorkflow(
  dataDirectory: string,
  name: string,
  document: object,
): Promise<string> {
  const folder = join(dataDirectory, 'workflows')
  await mkdir(folder, { recursive: true })
  const path = join(folder, name)
  await writeFile(path, JSON.stringify(document))
  return path
}
