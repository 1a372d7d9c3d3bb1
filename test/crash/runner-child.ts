/** One runner of a crew, made to be killed: `node runner-child.ts DIRECTORY`. SIGTERM ends it in order. */

import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import { holdProcess } from '../../src-engine/runtime/system-ports.ts'
import { endWithStarter } from '../support/end-with-starter.ts'
import { openSinkEngine } from './sink-engine.ts'

endWithStarter()
const [directory = ''] = process.argv.slice(2)
const release = holdProcess()
const engine = await openSinkEngine({
  directory,
  // Crashes beyond the cap are tested elsewhere; here every run has to come to its end.
  settings: engineSettings({
    maxConcurrentTasks: 3,
    heartbeatIntervalMs: 100,
    pollIntervalMs: 250,
    crashAttemptsMax: 1_000,
  }),
  spanOf: () => 20,
})
process.once('SIGTERM', () => {
  void engine
    .stop()
    .then(() => engine.store.close())
    .finally(release)
})
await engine.start()
process.stdout.write(`${JSON.stringify({ type: 'ready', runnerId: engine.runnerId })}\n`)
