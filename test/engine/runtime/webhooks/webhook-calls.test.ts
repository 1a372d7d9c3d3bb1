import { afterEach } from 'vitest'
import { sceneStores } from '../../../simulation/stores.ts'
import { CallScene } from './call-scene.ts'
import { callSuite } from './call-suite.ts'

const scenes: CallScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

for (const [store, open] of Object.entries(sceneStores)) {
  callSuite(store, async () => {
    const scene = new CallScene(await open())
    scenes.push(scene)
    return scene
  })
}
