import { afterEach } from 'vitest'
import { compositeSuite } from '../engine/runtime/triggers/composite-suite.ts'
import { cronSuite } from '../engine/runtime/triggers/cron-suite.ts'
import { deskSuite } from '../engine/runtime/triggers/desk-suite.ts'
import { eventSuite } from '../engine/runtime/triggers/event-suite.ts'
import { runSuite } from '../engine/runtime/triggers/run-suite.ts'
import { TriggerScene } from '../engine/runtime/triggers/trigger-scene.ts'
import type { EngineStore } from './redis-engines.ts'
import { engineSubjects } from './redis-engines.ts'
import { redisServers } from './redis-stores.ts'

const opened: EngineStore[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

for (const subject of engineSubjects(redisServers())) {
  const scene = async () => {
    const stored = await subject.open()
    opened.push(stored)
    const here = new TriggerScene(stored.store)
    here.connect = stored.connect
    return here
  }
  cronSuite(subject.name, scene)
  eventSuite(subject.name, scene)
  deskSuite(subject.name, scene)
  runSuite(subject.name, scene)
  compositeSuite(subject.name, scene)
}
