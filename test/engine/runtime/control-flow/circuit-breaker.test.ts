import { afterEach } from 'vitest'
import { sceneStores } from '../../../simulation/stores.ts'
import { circuitSuite } from './circuit-suite.ts'
import { FlowScene } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

for (const [store, open] of Object.entries(sceneStores)) {
  circuitSuite(store, async () => {
    const scene = new FlowScene(await open())
    scenes.push(scene)
    return scene
  })
}
