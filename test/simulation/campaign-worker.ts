/** Plays the seeds that it is sent, and answers with their tally. */

import { parentPort } from 'node:worker_threads'
import type { Seeds } from './campaign.ts'
import { playSeeds } from './campaign.ts'

const port = parentPort
if (port === null) throw new Error('this runs as a worker of run.ts')

port.on('message', (seeds: Seeds) => {
  playSeeds(seeds).then(
    (tally) => port.postMessage(tally),
    (thrown: unknown) => {
      throw thrown
    },
  )
})
