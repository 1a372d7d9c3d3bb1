import { afterEach } from 'vitest'
import { simulationStores } from '../../../simulation/stores.ts'
import { cronSuite } from './cron-suite.ts'
import { TriggerScene } from './trigger-scene.ts'

const scenes: TriggerScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

for (const [name, open] of Object.entries(simulationStores)) {
  cronSuite(name, async () => {
    const scene = new TriggerScene(await open())
    scenes.push(scene)
    return scene
  })
}
