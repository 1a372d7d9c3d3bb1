/** The pages that are measured, and the host behind them. */

import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, CDPSession, Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import type { HostCall } from './host.ts'

const root = resolve(import.meta.dirname, '../..')
const bareDir = join(root, 'node_modules/.cache/sagasmith-bench/bare')

/** Builds the bare page as the designer is built; gives its folder. */
export async function buildBare(): Promise<string> {
  rmSync(bareDir, { recursive: true, force: true })
  await build({
    root: join(root, 'bench/ui/bare'),
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir: bareDir, target: 'es2023', minify: true, assetsInlineLimit: 0 },
  })
  return bareDir
}

export interface BenchHost {
  readonly designer: string
  readonly bare: string
  readonly run: (nodes: number, fill?: number) => Promise<{ readonly runId: string; readonly seq: number }>
  readonly rate: (runId: string, perSecond: number) => Promise<void>
  readonly final: (runId: string) => Promise<Readonly<Record<string, string>>>
  readonly stop: () => Promise<void>
}

/** Starts the engine's process. */
export async function startHost(sizes: readonly number[], bare: string): Promise<BenchHost> {
  const child = fork(join(root, 'bench/ui/host.ts'), [sizes.join(','), bare], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, (value: unknown) => void>()
  let asked = 0
  const begun = new Promise<{ readonly designer: string; readonly bare: string }>((settle, fail) => {
    waiting.set(0, settle as (value: unknown) => void)
    child.once('exit', (code) => fail(new Error(`The host of the bench ended with ${code}.`)))
  })
  child.on('message', ({ id, value }: { readonly id: number; readonly value: unknown }) =>
    waiting.get(id)?.(value),
  )
  const call = <T>(one: HostCall): Promise<T> =>
    new Promise((settle) => {
      asked += 1
      waiting.set(asked, settle as (value: unknown) => void)
      child.send({ id: asked, ...one })
    })
  return {
    ...(await begun),
    run: (nodes, fill = 0) => call({ call: 'run', nodes, fill }),
    rate: (runId, perSecond) => call({ call: 'rate', runId, perSecond }),
    final: (runId) => call({ call: 'final', runId }),
    stop: () => call({ call: 'stop' }),
  }
}

/** A page with the way to its main thread's clock: time that it worked, not time that passed on a busy machine. */
export interface Measured {
  readonly page: Page
  readonly cdp: CDPSession
  readonly close: () => Promise<void>
}

/** Opens a page of the size of a usual window. */
export async function openPage(browser: Browser): Promise<Measured> {
  const context = await browser.newContext({ viewport: { width: 1_600, height: 1_000 } })
  const page = await context.newPage()
  // On a busy machine everything comes in the end.
  page.setDefaultTimeout(600_000)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  return { page, cdp, close: () => context.close() }
}

/** Seconds that the main thread has worked. */
export async function worked({ cdp }: Measured): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}

/** MiB that are alive once nothing is left to throw away. */
export async function aliveMib({ cdp }: Measured): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return usedSize / 2 ** 20
}

/** The link that the page of a run is opened by. */
export const linkTo = (url: string, runId: string): string =>
  `${url}&to=${encodeURIComponent(`sagasmith://run/${runId}`)}`
