/** Steps that wait for web calls, circuit breakers and kept results, on Redis: each engine with connections of its own. */

import { afterEach } from 'vitest'
import { cacheSuite } from '../engine/runtime/control-flow/cache-suite.ts'
import { circuitSuite } from '../engine/runtime/control-flow/circuit-suite.ts'
import { FlowScene } from '../engine/runtime/control-flow/flow-scene.ts'
import { callbackSuite } from '../engine/runtime/webhooks/callback-suite.ts'
import type { EngineStore } from './redis-engines.ts'
import { onCluster } from './redis-engines.ts'
import { redisServers } from './redis-stores.ts'

const opened: EngineStore[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

// One server has nothing to ask of what is there already whether it is safe, and these scenes do.
const { name, open } = onCluster(redisServers())
const scene = async (): Promise<FlowScene> => {
  const stored = await open()
  opened.push(stored)
  const here = new FlowScene(stored.store)
  here.connect = stored.connect
  return here
}
callbackSuite(name, scene)
circuitSuite(name, scene)
cacheSuite(name, scene)
