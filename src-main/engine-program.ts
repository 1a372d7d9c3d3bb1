/** The program of the engine's process: opens the engine of a data directory and serves the pages' lines. */

import { flushCompileCache } from 'node:module'
import { loadSettings } from '../src-engine/shell/config.ts'
import { openEngineHost } from '../src-engine/shell/engine-host.ts'
import { attachEngine, isHeldElsewhere } from './attached-engine.ts'
import { createEngineKeyStore } from './engine-key-store.ts'
import type { ParentPort, ServableEngine } from './engine-service.ts'
import { runEngineService } from './engine-service.ts'
import { createUtilitySandboxHosts } from './utility-sandbox.ts'

const dataDir = process.argv[2]
if (dataDir === undefined) throw new Error('engine.js expects the data directory as its first argument')

const parent: ParentPort = process.parentPort
const sandboxes = createUtilitySandboxHosts((id, program) =>
  parent.postMessage({ kind: 'start-sandbox', id, program }),
)

const keyStore = createEngineKeyStore((id, request) =>
  parent.postMessage({ kind: 'ask-key-store', id, request }),
)

async function openOwnEngine(directory: string): Promise<ServableEngine> {
  const host = await openEngineHost({
    dataDir: directory,
    role: 'desktop',
    mode: 'work',
    settings: loadSettings({ flags: { data: directory } }),
    sandbox: sandboxes.of('javascript-sandbox'),
    sqlite: sandboxes.of('sqlite-steps'),
    webhookListener: sandboxes.of('webhook-listener'),
    crashWorker: sandboxes.of('crash-worker'),
    keyStore: keyStore.provider,
    canRunAtomicService: true,
  })
  return {
    // The port came from our own main process: its holder needs no token.
    serve: (channel) => void host.serve(channel, { requireToken: null }),
    power: (hint) => host.engine.powerHint(hint),
    grant: host.library.grant,
    close: host.close,
  }
}

async function openDesktopEngine(directory: string): Promise<ServableEngine> {
  try {
    return await openOwnEngine(directory)
  } catch (error) {
    if (!isHeldElsewhere(error)) throw error
    // The supervisor starts us again, and then the directory is free.
    return attachEngine({ directory, onLost: () => process.exit(1) }, error)
  }
}

runEngineService({
  parent,
  open: () => openDesktopEngine(dataDir),
  exit: (code) => {
    // Not every Electron does so by itself when a process of it ends.
    flushCompileCache()
    process.exit(code)
  },
  reportError: (text) => process.stderr.write(text),
  onSandbox: sandboxes.arrived,
  onKeyStore: keyStore.answered,
})
