/** One runner on a cluster, made to be killed: `node runner-child.ts PLACE`. SIGTERM ends it in order. */

import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import { holdProcess } from '../../src-engine/runtime/system-ports.ts'
import { openSinkEngine } from '../crash/sink-engine.ts'
import { endWithStarter } from '../support/end-with-starter.ts'
import { watchDeadlines } from './deadline-watch.ts'
import { figuresFile, workedFile } from './runner-files.ts'
import type { ScenePlace } from './scene.ts'
import { openStoreAt } from './scene.ts'

endWithStarter()
// Whoever started this process wrote it.
const place = JSON.parse(process.argv[2] ?? '{}') as ScenePlace
const told = join(place.directory, `runner-${process.pid}.log`)
/** What went wrong is no part of any check; it is what explains one that failed. */
const note = (event: string, details: unknown): void =>
  appendFileSync(told, `${new Date().toISOString()} ${event} ${JSON.stringify(details)}\n`)
const figures = watchDeadlines()
const release = holdProcess()
const engine = await openSinkEngine({
  directory: place.directory,
  store: await openStoreAt(place),
  log: { debug() {}, info() {}, warn: note, error: note },
  // Crashes beyond the cap are tested elsewhere; here every run has to come to its end.
  settings: engineSettings({
    maxConcurrentTasks: 3,
    claimTtlMs: place.claimTtlMs,
    heartbeatIntervalMs: 1_000,
    pollIntervalMs: 250,
    crashAttemptsMax: 1_000,
  }),
  spanOf() {
    writeFileSync(workedFile(place.directory, process.pid), String(Date.now()))
    return place.stepMs
  },
})
process.once('SIGTERM', () => {
  void engine
    .stop()
    .then(() => engine.store.close())
    .then(() => writeFileSync(figuresFile(place.directory, process.pid), JSON.stringify(figures())))
    .finally(release)
})
await engine.start()
process.stdout.write(`${JSON.stringify({ type: 'ready', runnerId: engine.runnerId })}\n`)
