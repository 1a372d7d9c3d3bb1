import { afterEach } from 'vitest'
import { sceneStores } from '../../../simulation/stores.ts'
import { FolderScene, folderSuite } from './folder-suite.ts'

const scenes: FolderScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

for (const [name, open] of Object.entries(sceneStores)) {
  folderSuite(name, async (settings = {}) => {
    const scene = new FolderScene(await open(), settings)
    scenes.push(scene)
    return scene
  })
}
