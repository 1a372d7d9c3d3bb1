/** The product's engine on its Redis store. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeId } from '../../src-engine/model/ids.ts'
import { createSystemIds, systemClock } from '../../src-engine/runtime/system-ports.ts'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import { openBenchEngine } from '../bench-engine.ts'
import type { BenchStep } from '../ours.ts'
import { subjectOf } from '../ours.ts'
import type { OpenOnRedis } from './target.ts'

const opener =
  (step: BenchStep): OpenOnRedis =>
  async ({ nodes, prefix, partitions, durability }) => {
    const ids = createSystemIds(systemClock)
    const store = await storeCatalogue.redis({
      nodes,
      prefix,
      partitions,
      durability,
      storeId: storeId(`store_${ids.next()}`),
      writerId: ids.next(),
      clock: systemClock,
    })
    const directory = mkdtempSync(join(tmpdir(), 'sagasmith-bench-'))
    const subject = subjectOf(await openBenchEngine(directory, store), step)
    return {
      ...subject,
      async close() {
        await subject.close()
        rmSync(directory, { recursive: true, force: true })
      },
    }
  }

/** Its steps do nothing, and don't wait for the commit that claims them. */
export const openOursOnRedis = opener({ sideEffect: 'pure' })

/** Its steps are taken to act, and each waits. */
export const openActingOnRedis = opener({ sideEffect: 'keyed' })

/** Another pool comes first, so that no step goes on where it is: each is claimed from the queue, and takes no permit. */
export const openQueuedOnRedis = opener({ sideEffect: 'pure', route: { preferredPool: 'elsewhere' } })

/** More than ever run at once: each is claimed from the queue, and takes a permit. */
export const openLimitedOnRedis = opener({
  sideEffect: 'pure',
  concurrency: { running: 'TASK', limit: 1_000, onFull: 'reroute' },
})
