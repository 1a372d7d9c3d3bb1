import { afterEach } from 'vitest'
import { sceneStores } from '../../../simulation/stores.ts'
import { StreamScene } from './stream-scene.ts'
import { streamSuite } from './stream-suite.ts'

const scenes: StreamScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

for (const [name, open] of Object.entries(sceneStores)) {
  streamSuite(name, async () => {
    const scene = new StreamScene(await open())
    scenes.push(scene)
    return scene
  })
}
