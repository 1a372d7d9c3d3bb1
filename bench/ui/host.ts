/**
 * The engine of the bench, as a process of its own: a real one on a new data directory, with runs whose steps are
 * scripted, for the built designer and for the bare page. The parent says over the channel between them what is to happen.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunId } from '../../src-engine/model/ids.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import type { Channel } from '../../src-engine/protocol/channel.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { openEngineHost } from '../../src-engine/shell/engine-host.ts'
import { findResource } from '../../src-engine/shell/resources.ts'
import { startServer } from '../../src-engine/shell/server.ts'
import type { ScriptedRun } from './scripted-run.ts'
import { scriptRun } from './scripted-run.ts'
import { benchDocument, benchNodes } from './workload.ts'

/** What the parent may ask for; each is answered with its number. */
export type HostCall =
  | { readonly call: 'run'; readonly nodes: number; readonly fill: number }
  | { readonly call: 'rate'; readonly runId: string; readonly perSecond: number }
  | { readonly call: 'final'; readonly runId: string }
  | { readonly call: 'stop' }

const scripted = new Map<string, ScriptedRun>()

/** The engine, but for what is said of scripted runs. */
function withScripts(engine: Engine): Engine {
  const own: Partial<Engine> = {
    snapshot: async (runId) => {
      const real = await engine.snapshot(runId)
      return scripted.get(runId)?.snapshot(real) ?? real
    },
    follow: (request) => {
      if (request.runId !== null) return (scripted.get(request.runId) ?? engine).follow(request)
      // Who follows everything hears of the scripted steps as well.
      const stops = [engine, ...scripted.values()].map((one) => one.follow({ ...request, cursor: now }))
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
  return new Proxy(engine, {
    get: (target, key) => {
      const found: unknown = Reflect.get(own, key) ?? Reflect.get(target, key)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
}

/** After everything that was. */
const now = [{ partition: 0, epoch: 0, seq: Number.MAX_SAFE_INTEGER }]

const dataDir = await mkdtemp(join(tmpdir(), 'sagasmith-ui-bench-'))
const sizes = (process.argv[2] ?? '2000').split(',').map(Number)
await mkdir(join(dataDir, 'workflows'), { recursive: true })
for (const size of sizes)
  await writeFile(join(dataDir, 'workflows', `bench-${size}.json`), JSON.stringify(benchDocument(size)))

const host = await openEngineHost({
  dataDir,
  role: 'serve',
  mode: 'work',
  compose: async (input) => {
    const composed = await composeEngine(input)
    return { ...composed, engine: withScripts(composed.engine) }
  },
})
const serve = (channel: Channel, options: { readonly requireToken: string }): void =>
  void host.serve(channel, options)
const [designer, bare] = await Promise.all([
  startServer({ port: 0, renderer: findResource('renderer'), serve }),
  startServer({ port: 0, renderer: process.argv[3] ?? null, serve }),
])

async function startScripted(
  nodes: number,
  fill: number,
): Promise<{ readonly runId: RunId; readonly seq: number }> {
  const parsed = parseDocument(benchDocument(nodes))
  if (!parsed.ok) throw new Error('The document of the bench is not one.')
  const { document } = parsed.value
  const { runId } = await host.engine.startRun({ document, input: {}, baseDirectory: null, requestId: null })
  const { run: started, seq } = await host.engine.snapshot(runId)
  const ids = benchNodes(nodes).map(({ id }) => id)
  const run = scriptRun(started, ids.slice(1), seq)
  scripted.set(runId, run)
  run.fill(fill)
  return { runId, seq: seq + run.sent() }
}

async function answer(asked: HostCall): Promise<unknown> {
  if (asked.call === 'run') return startScripted(asked.nodes, asked.fill)
  if (asked.call === 'rate') return scripted.get(asked.runId)?.rate(asked.perSecond) ?? null
  if (asked.call === 'final') return scripted.get(asked.runId)?.final() ?? null
  for (const run of scripted.values()) run.rate(0)
  await Promise.all([designer.close(), bare.close()])
  await host.close()
  await rm(dataDir, { recursive: true, force: true })
  return null
}

process.on('message', (message: { readonly id: number } & HostCall) => {
  void answer(message).then((value) => {
    process.send?.({ id: message.id, value: value ?? null })
    if (message.call === 'stop') process.disconnect()
  })
})
process.send?.({ id: 0, value: { designer: designer.url, bare: bare.url } })
