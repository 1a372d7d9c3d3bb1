import { afterEach } from 'vitest'
import { cronSuite } from '../engine/runtime/triggers/cron-suite.ts'
import { TriggerScene } from '../engine/runtime/triggers/trigger-scene.ts'
import type { EngineStore } from './redis-engines.ts'
import { engineSubjects } from './redis-engines.ts'
import { redisServers } from './redis-stores.ts'

const opened: EngineStore[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

for (const subject of engineSubjects(redisServers())) {
  cronSuite(subject.name, async () => {
    const stored = await subject.open()
    opened.push(stored)
    const scene = new TriggerScene(stored.store)
    scene.connect = stored.connect
    return scene
  })
}
