import { afterEach } from 'vitest'
import { sceneStores } from '../../../simulation/stores.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'
import { callbackSuite } from './callback-suite.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

for (const [store, open] of Object.entries(sceneStores)) {
  callbackSuite(store, async () => {
    const scene = new FlowScene(await open())
    scenes.push(scene)
    return scene
  })
}
