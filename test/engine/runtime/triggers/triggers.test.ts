import { afterEach } from 'vitest'
import { sceneStores } from '../../../simulation/stores.ts'
import { compositeSuite } from './composite-suite.ts'
import { cronSuite } from './cron-suite.ts'
import { deskSuite } from './desk-suite.ts'
import { eventSuite } from './event-suite.ts'
import { runSuite } from './run-suite.ts'
import { TriggerScene } from './trigger-scene.ts'

const scenes: TriggerScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

for (const [name, open] of Object.entries(sceneStores)) {
  const scene = async () => {
    const here = new TriggerScene(await open())
    scenes.push(here)
    return here
  }
  cronSuite(name, scene)
  eventSuite(name, scene)
  deskSuite(name, scene)
  runSuite(name, scene)
  compositeSuite(name, scene)
}
