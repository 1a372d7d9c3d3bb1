/** The program of the engine's process: opens the engine of a data directory and serves the pages' lines. */

import { openEngineHost } from '../src-engine/shell/engine-host.ts'
import { runEngineService } from './engine-service.ts'

const dataDir = process.argv[2]
if (dataDir === undefined) throw new Error('engine-entry expects the data directory as its first argument')

runEngineService({
  parent: process.parentPort,
  open: () => openEngineHost({ dataDir }),
  exit: (code) => process.exit(code),
  reportError: (text) => process.stderr.write(text),
})
